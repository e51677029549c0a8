import { createClaims } from '../../kernel/claim.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { toComparableName } from '../../kernel/text.js';

export const DEFAULT_CHANNEL_NAME = 'general';
export const VISIBILITIES = ['public', 'private'] as const;
export const POSTER_GROUPS = ['everyone', 'moderators'] as const;

export interface ChannelContent {
  readonly name: string;
  readonly description: string | null;
  /** A private channel is visible to the owner and to moderators. */
  readonly visibility: (typeof VISIBILITIES)[number];
  readonly whoCanPost: (typeof POSTER_GROUPS)[number];
  readonly requiredLevel: number;
}

export interface NewChannel extends ChannelContent {
  readonly channelId: string;
  readonly communityId: string;
  readonly isDefault: boolean;
  readonly createdBy: string;
}

/** A naming is the claim of one name by the channel: 0 at its creation, then 1, 2 … */
export type ChannelEvent =
  | Fact<'ChannelCreated', NewChannel & { at: string }>
  | Fact<'ChannelEdited', ChannelChange & { changes: Partial<ChannelContent>; naming: number }>
  | Fact<'ChannelDeleted', ChannelChange & { deletedBy: string }>
  | Fact<'ChannelNamingAbandoned', { channelId: string; naming: number; at: string }>;

interface ChannelChange {
  readonly channelId: string;
  readonly communityId: string;
  readonly at: string;
}

export interface KnownChannel {
  readonly status: 'live' | 'deleted';
  readonly id: string;
  readonly communityId: string;
  readonly content: ChannelContent;
  readonly isDefault: boolean;
  /** The naming that gave the channel its name. */
  readonly naming: number;
  /** The latest naming, which may be abandoned. */
  readonly lastNaming: number;
}

/** An abandoned channel was not created before another one took its name. */
export type Channel = { readonly status: 'unknown' | 'abandoned' } | KnownChannel;

function evolve(channel: Channel, event: ChannelEvent): Channel {
  if (event.type === 'ChannelCreated') return applyCreated(event.data);
  if (!isKnown(channel)) return event.type === 'ChannelNamingAbandoned' ? { status: 'abandoned' } : channel;

  switch (event.type) {
    case 'ChannelEdited': {
      const { changes, naming } = event.data;
      const content = { ...channel.content, ...changes };
      return { ...channel, content, naming, lastNaming: Math.max(naming, channel.lastNaming) };
    }
    case 'ChannelDeleted':
      return { ...channel, status: 'deleted' };
    case 'ChannelNamingAbandoned':
      return { ...channel, lastNaming: event.data.naming };
  }
}

function applyCreated({ channelId: id, communityId, isDefault, ...data }: NewChannel): KnownChannel {
  const { name, description, visibility, whoCanPost, requiredLevel } = data;
  const content = { name, description, visibility, whoCanPost, requiredLevel };
  return { status: 'live', id, communityId, content, isDefault, naming: 0, lastNaming: 0 };
}

export function isKnown(channel: Channel): channel is KnownChannel {
  return 'content' in channel;
}

/** `naming`: the claim of the name in `content`; null when the name stays. */
export type ChannelCommand =
  | { readonly type: 'CreateChannel'; readonly channel: NewChannel }
  | { readonly type: 'EditChannel'; readonly content: Partial<ChannelContent>; readonly naming: number | null }
  | { readonly type: 'DeleteChannel'; readonly userId: string }
  | { readonly type: 'AbandonNaming'; readonly channelId: string; readonly naming: number };

function decide(command: ChannelCommand, channel: Channel, { now: at }: DecisionContext): readonly ChannelEvent[] {
  switch (command.type) {
    case 'CreateChannel':
      if (channel.status === 'abandoned') throw createNameTakenRejection();
      return channel.status === 'unknown' ? [{ type: 'ChannelCreated', data: { ...command.channel, at } }] : [];
    case 'AbandonNaming':
      return abandonNaming(command, channel, at);
    case 'EditChannel':
      return edit(command, requireKnown(channel), at);
    case 'DeleteChannel':
      return remove(command.userId, requireKnown(channel), at);
  }
}

function edit(
  { content, naming }: Extract<ChannelCommand, { type: 'EditChannel' }>,
  channel: KnownChannel,
  at: string,
): readonly ChannelEvent[] {
  if (channel.status === 'deleted') throw Rejection.notFound();
  const changes = diff(content, channel.content);
  if (Object.keys(changes).length === 0) return [];
  if (channel.isDefault && changes.visibility === 'private') throw createDefaultProtectedRejection('made private');
  if (naming !== null && naming <= channel.lastNaming)
    throw new Rejection('concurrent_update', 'The channel was renamed at the same time. Try again.');
  const { id: channelId, communityId } = channel;
  return [{ type: 'ChannelEdited', data: { channelId, communityId, changes, naming: naming ?? channel.naming, at } }];
}

function remove(deletedBy: string, channel: KnownChannel, at: string): readonly ChannelEvent[] {
  if (channel.isDefault) throw createDefaultProtectedRejection('deleted');
  if (channel.status === 'deleted') return [];
  const { id: channelId, communityId } = channel;
  return [{ type: 'ChannelDeleted', data: { channelId, communityId, deletedBy, at } }];
}

/** Ends a naming that a crash left without its edit, so that the edit cannot follow. */
function abandonNaming(
  { channelId, naming }: Extract<ChannelCommand, { type: 'AbandonNaming' }>,
  channel: Channel,
  at: string,
): readonly ChannelEvent[] {
  const isOpen = isKnown(channel) ? naming > channel.lastNaming : channel.status === 'unknown';
  return isOpen ? [{ type: 'ChannelNamingAbandoned', data: { channelId, naming, at } }] : [];
}

function requireKnown(channel: Channel): KnownChannel {
  if (!isKnown(channel)) throw Rejection.notFound();
  return channel;
}

function createDefaultProtectedRejection(change: string): Rejection {
  return new Rejection('default_channel_protected', `The default channel of a community cannot be ${change}.`);
}

export function createNameTakenRejection(): Rejection {
  return new Rejection('name_taken', 'Another channel of the community has this name.', 'name');
}

export const channelDecider: Decider<Channel, ChannelCommand, ChannelEvent> = {
  category: 'channel',
  versions: { ChannelCreated: 1, ChannelEdited: 1, ChannelDeleted: 1, ChannelNamingAbandoned: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

/** Name → the naming that has it: `<channel id>:<naming>`. Each naming claims once, so an old claim never revives. */
export const channelNameClaims = createClaims('channelName', 'ChannelNameClaimed');

export function channelNameIdOf(communityId: string, name: string): string {
  return idOf('name', 0, communityId, toComparableName(name));
}

export function toNamingId(channelId: string, naming: number): string {
  return `${channelId}:${naming}`;
}

export function parseNamingId(id: string): { readonly channelId: string; readonly naming: number } {
  const [channelId, naming] = id.split(':') as [string, string];
  return { channelId, naming: Number(naming) };
}

export function defaultChannelIdOf(communityId: string): string {
  return idOf('chan', 0, communityId, DEFAULT_CHANNEL_NAME);
}
