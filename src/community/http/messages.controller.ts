import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional, ValidateIf } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { CursorQuery } from '../../http/validation/paging.js';
import { IsContent, IsId } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { DeleteMessage, EditMessage, SendMessage } from '../commands/message.commands.js';
import type { Attachment } from '../domain/post.js';
import { messageSchema } from '../projections/messages.js';
import { ListMessages, RetrieveMessage } from '../queries/message.queries.js';
import { IsAttachments } from './attachments.js';
import { HasContent, isEmptyContent, isGiven } from './content.validator.js';

const MAX_CHARACTERS = 4_000;

class SendMessageBody {
  @Describe('The text of the message; null with attachments alone.')
  @ValidateIf((message: SendMessageBody) => isGiven(message.content) || isEmptyContent(message))
  @HasContent('A message needs content or an attachment')
  @IsContent(MAX_CHARACTERS)
  content?: string | null;

  @Describe('The files and links of the message; null for none with a text. Further keys of an attachment are kept.')
  @ValidateIf((message: SendMessageBody) => isGiven(message.attachments) && !isEmptyContent(message))
  @IsAttachments()
  attachments?: Attachment[] | null;

  @Describe(
    'The id of the message of the same channel that this message replies to, or null.',
    'msg_01kg9p6je0grr0rycz01afc5br',
  )
  @IsOptional()
  @IsId()
  reply_to?: string | null;
}

class EditMessageBody {
  @Describe('The new text; null removes it from a message with attachments.')
  @IsOptional()
  @IsContent(MAX_CHARACTERS)
  content?: string | null;

  @Describe('The new files and links, in place of all earlier ones; null removes them.')
  @IsOptional()
  @IsAttachments()
  attachments?: Attachment[] | null;
}

@Controller('v1/community')
export class MessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('channels/:channel_id/messages')
  @Operation('Send a message', messageSchema)
  @Rejects('posting_restricted', 'insufficient_level', 'reply_target_invalid', 'community_archived')
  async send(@Ctx() context: CallerContext, @Param('channel_id') channelId: string, @Body() body: SendMessageBody) {
    const { content = null, attachments, reply_to: replyTo = null } = body;
    const message = new SendMessage(context, { channelId, content, attachments: attachments ?? [], replyTo });
    return { data: await this.commands.execute(message) };
  }

  @Get('channels/:channel_id/messages')
  @Operation('List messages', messageSchema, { about: 'A deleted message has no content.' })
  @Rejects('insufficient_level')
  list(@Ctx() context: CallerContext, @Param('channel_id') channelId: string, @Query() query: CursorQuery) {
    return this.queries.execute(new ListMessages(context, { channelId, limit: query.count, after: query.cursor }));
  }

  @Get('messages/:message_id')
  @Operation('Retrieve a message', messageSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('message_id') id: string) {
    return { data: await this.queries.execute(new RetrieveMessage(context, { id })) };
  }

  @Patch('messages/:message_id')
  @Operation('Edit a message', messageSchema, { about: 'Only its author edits it.' })
  @Rejects('permission_denied', 'content_required', 'community_archived')
  async edit(@Ctx() context: CallerContext, @Param('message_id') id: string, @Body() body: EditMessageBody) {
    const attachments = body.attachments === null ? [] : body.attachments;
    const content = omitUndefined({ content: body.content, attachments });
    return { data: await this.commands.execute(new EditMessage(context, { id, content })) };
  }

  @Delete('messages/:message_id')
  @Operation('Delete a message', messageSchema)
  @Rejects('permission_denied')
  async delete(@Ctx() context: CallerContext, @Param('message_id') id: string) {
    return { data: await this.commands.execute(new DeleteMessage(context, { id })) };
  }
}
