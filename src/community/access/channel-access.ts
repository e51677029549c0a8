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
    const channel = await this.streams.loadState(channelDecider, channelId);
    if (!isKnown(channel)) throw Rejection.notFound();
    const isPublic = channel.status === 'live' && channel.content.visibility === 'public';
    const isVisibleTo = ({ role }: CommunityViewer) => isPublic || canModerate(role);
    return { channel, viewer: await this.access.requireInner(channel.communityId, context, action, isVisibleTo) };
  }

  /** Requires a live channel that the caller may read. @throws Rejection also insufficient_level */
  async requireLive(channelId: string, context: CallerContext, action: CommunityAction): Promise<ViewedChannel> {
    const viewed = await this.require(channelId, context, action);
    if (viewed.channel.status === 'deleted') throw Rejection.notFound();
    await this.access.requireLevel(viewed.viewer, viewed.channel.content.requiredLevel);
    return viewed;
  }

  /** Requires a message of a live channel that the caller may read. The message may be deleted. */
  async requireMessage(messageId: string, context: CallerContext, action: CommunityAction): Promise<ViewedMessage> {
    const message = await this.streams.loadState(messageDecider, messageId);
    if (message.status === 'unknown') throw Rejection.notFound();
    return { message, ...(await this.requireLive(message.channelId, context, action)) };
  }
}
