import { Injectable } from '@nestjs/common';
import { claimName } from '../../engine/streams/claim-name.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import {
  channelDecider,
  channelNameClaims,
  channelNameIdOf,
  createNameTakenRejection,
  DEFAULT_CHANNEL_NAME,
  defaultChannelIdOf,
  isKnown,
  type NewChannel,
  parseNamingId,
  toNamingId,
} from '../domain/channel.js';
import { type ChannelDocument, channels } from '../projections/channels.js';

/** Creates channels, each with a name that no other live channel of its community has. */
@Injectable()
export class Channels {
  constructor(private readonly streams: Streams) {}

  async create(channel: NewChannel, context: Context): Promise<ChannelDocument> {
    const { channelId, communityId, name } = channel;
    await this.claimName(communityId, name, { channelId, naming: 0 }, context);
    const outcome = await this.streams.execute(channelDecider, channelId, { type: 'CreateChannel', channel }, context);
    return outcome.render(channels, channelId);
  }

  /** Creates the channel with which a community starts. A repeated call has no effect. */
  async createDefault(communityId: string, createdBy: string, context: Context): Promise<void> {
    const content = { name: DEFAULT_CHANNEL_NAME, description: null, requiredLevel: 0 };
    const access = { visibility: 'public', whoCanPost: 'everyone' } as const;
    const channelId = defaultChannelIdOf(communityId);
    await this.create(
      { channelId, communityId, isDefault: true, createdBy, ...content, ...access },
      createChildContext(context, 'default-channel'),
    );
  }

  /** @throws Rejection name_taken */
  async claimName(
    communityId: string,
    name: string,
    { channelId, naming }: { readonly channelId: string; readonly naming: number },
    context: Context,
  ): Promise<void> {
    const owner = { ownerId: toNamingId(channelId, naming), isFree: (id: string) => this.isFree(id, context) };
    if (!(await claimName(this.streams, channelNameClaims, channelNameIdOf(communityId, name), owner, context)))
      throw createNameTakenRejection();
  }

  /** The name of a deleted or renamed channel is free, and that of a naming which a crash left unfinished. */
  private async isFree(namingId: string, context: Context): Promise<boolean> {
    const { channelId, naming } = parseNamingId(namingId);
    const command = { type: 'AbandonNaming', channelId, naming } as const;
    const abandonContext = createChildContext(context, 'abandon', namingId);
    const { state } = await this.streams.execute(channelDecider, channelId, command, abandonContext);
    return !isKnown(state) || state.status === 'deleted' || state.naming !== naming;
  }
}
