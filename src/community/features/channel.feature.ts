import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { ChannelAccess } from '../access/channel-access.js';
import { channelHandlers } from '../commands/channel.commands.js';
import { Channels } from '../commands/channels.steps.js';
import { messageHandlers } from '../commands/message.commands.js';
import { channelDecider, channelNameClaims } from '../domain/channel.js';
import { messageDecider } from '../domain/message.js';
import { ChannelsController } from '../http/channels.controller.js';
import { MessagesController } from '../http/messages.controller.js';
import { channels, channelSchema, deletedChannelSchema } from '../projections/channels.js';
import { markDeleted } from '../projections/deletions.js';
import { messages, messageSchema } from '../projections/messages.js';
import { channelQueryHandlers } from '../queries/channel.queries.js';
import { messageQueryHandlers } from '../queries/message.queries.js';

const channel = createAuditedResource('channel', channels);

export const channelFeature: Feature = {
  streams: [
    auditStream(channelDecider, channel),
    auditStream(channelNameClaims, nameByKey(channel, 'ownerId')),
    auditStream(messageDecider, createAuditedResource('message', messages)),
  ],
  projections: [channels, messages],
  publicEvents: [
    publish({
      fact: 'ChannelDeleted',
      type: 'community.channel.deleted',
      summary: 'A channel was deleted',
      description: 'A channel was removed from a community.',
      projection: channels,
      schema: deletedChannelSchema,
      complete: async (channel) => markDeleted(channel),
    }),
    publish({
      fact: 'MessageDeleted',
      type: 'community.message.deleted',
      summary: 'A message was deleted',
      description: 'A message was removed from a channel.',
      projection: messages,
      schema: messageSchema,
    }),
    publish({
      fact: 'ChannelCreated',
      type: 'community.channel.created',
      summary: 'A channel was created',
      description: 'A community got a channel.',
      projection: channels,
      schema: channelSchema,
    }),
    publish({
      fact: 'ChannelEdited',
      type: 'community.channel.updated',
      summary: 'A channel was changed',
      description: 'The name, the topic or the access of a channel changed.',
      projection: channels,
      schema: channelSchema,
      change: true,
    }),
    publish({
      fact: 'MessageSent',
      type: 'community.message.created',
      summary: 'A message was sent',
      description: 'A member sent a message to a channel.',
      projection: messages,
      schema: messageSchema,
      floods: true,
    }),
    publish({
      fact: 'MessageEdited',
      type: 'community.message.edited',
      summary: 'A message was edited',
      description: 'The author changed a message.',
      projection: messages,
      schema: messageSchema,
      change: true,
    }),
  ],
  controllers: [ChannelsController, MessagesController],
  providers: [
    ChannelAccess,
    Channels,
    ...channelHandlers,
    ...messageHandlers,
    ...channelQueryHandlers,
    ...messageQueryHandlers,
  ],
};
