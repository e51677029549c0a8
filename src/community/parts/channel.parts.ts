import type { NounParts } from '../../engine/area-parts.js';
import { ChannelAccess } from '../channel-access.js';
import { channelHandlers } from '../commands/channel.commands.js';
import { Channels } from '../commands/channels.steps.js';
import { messageHandlers } from '../commands/message.commands.js';
import { ChannelsController } from '../http/channels.controller.js';
import { MessagesController } from '../http/messages.controller.js';
import { channels } from '../projections/channels.js';
import { messages } from '../projections/messages.js';
import { channelQueryHandlers } from '../queries/channel.queries.js';
import { messageQueryHandlers } from '../queries/message.queries.js';

export const channelParts: NounParts = {
  controllers: [ChannelsController, MessagesController],
  providers: [
    ChannelAccess,
    Channels,
    ...channelHandlers,
    ...messageHandlers,
    ...channelQueryHandlers,
    ...messageQueryHandlers,
  ],
  projections: [channels, messages],
};
