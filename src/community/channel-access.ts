import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { CallerContext } from '../identity/caller.js';
import { Rejection } from '../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';
import { channelDecider, isKnown, type KnownChannel } from './domain/channel.js';
import { canModerate, type CommunityAction } from './domain/community-role.js';
import { type KnownMessage, messageDecider } from './domain/message.js';

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

  /** Requires a channel, which may be deleted. @throws Rejection not_found, permission_denied … */
  async require(channelId: string, context: CallerContext, action: CommunityAction): Promise<ViewedChannel> {
    const channel = await this.streams.loadState(channelDecider, channelId);
    if (!isKnown(channel)) throw Rejection.notFound();
    const viewer = await this.access.requireInner(channel.communityId, context, action);
    if (channel.content.visibility === 'private' && !canModerate(viewer.role)) throw Rejection.notFound();
    return { channel, viewer };
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
