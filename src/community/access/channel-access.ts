import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { channelDecider, isKnown, type KnownChannel } from '../domain/channel.js';
import { canModerate, type CommunityAction } from '../domain/community-role.js';
import { type KnownMessage, messageDecider } from '../domain/message.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';

export interface ViewedChannel {
  readonly channel: KnownChannel;
  readonly viewer: CommunityViewer;
}

export interface ViewedMessage extends ViewedChannel {
  readonly message: KnownMessage;
}

/** Decides which channels and messages a caller may use. */
@Injectable()
export class ChannelAccess {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  /** Requires a channel. Only moderators see a private or a deleted one. @throws Rejection not_found, permission_denied … */
  async require(channelId: string, context: CallerContext, action: CommunityAction): Promise<ViewedChannel> {
    return this.requireVisible(channelId, context, action, isVisibleTo);
  }

  /** Requires a live channel that the caller may read. @throws Rejection also insufficient_level */
  async requireLive(channelId: string, context: CallerContext, action: CommunityAction): Promise<ViewedChannel> {
    const viewed = await this.require(channelId, context, action);
    if (viewed.channel.status === 'deleted') throw Rejection.notFound();
    await this.access.requireLevel(viewed.viewer, viewed.channel.content.requiredLevel);
    return viewed;
  }

  /**
   * Requires a message of a live channel that the caller may read. The message may be deleted. Who is below the level of
   * the channel sees the channel, and none of its messages.
   */
  async requireMessage(messageId: string, context: CallerContext, action: CommunityAction): Promise<ViewedMessage> {
    const message = await this.streams.loadState(messageDecider, messageId);
    if (message.status === 'unknown') throw Rejection.notFound();
    const canRead = (channel: KnownChannel, viewer: CommunityViewer) =>
      channel.status === 'live' &&
      isVisibleTo(channel, viewer) &&
      this.access.hasLevel(viewer, channel.content.requiredLevel);
    return { message, ...(await this.requireVisible(message.channelId, context, action, canRead)) };
  }

  private async requireVisible(
    channelId: string,
    context: CallerContext,
    action: CommunityAction,
    isVisible: (channel: KnownChannel, viewer: CommunityViewer) => boolean | Promise<boolean>,
  ): Promise<ViewedChannel> {
    const channel = await this.streams.loadState(channelDecider, channelId);
    if (!isKnown(channel)) throw Rejection.notFound();
    const isVisibleIn = (viewer: CommunityViewer) => isVisible(channel, viewer);
    return { channel, viewer: await this.access.requireInner(channel.communityId, context, action, isVisibleIn) };
  }
}

function isVisibleTo({ status, content }: KnownChannel, { role }: CommunityViewer): boolean {
  return (status === 'live' && content.visibility === 'public') || canModerate(role);
}
