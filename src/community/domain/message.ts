import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Attachment } from './post.js';

export interface MessageContent {
  readonly content: string | null;
  readonly attachments: readonly Attachment[];
}

interface NewMessage extends MessageContent {
  readonly messageId: string;
  readonly channelId: string;
  readonly communityId: string;
  readonly authorId: string;
  /** The message of the same channel that this one replies to. */
  readonly replyTo: string | null;
}

interface MessageChange {
  readonly messageId: string;
  readonly channelId: string;
  readonly communityId: string;
  readonly at: string;
}

export type MessageEvent =
  | Fact<'MessageSent', NewMessage & { at: string }>
  | Fact<'MessageEdited', MessageChange & { changes: Partial<MessageContent> }>
  | Fact<'MessageDeleted', MessageChange & { deletedBy: string }>;

export interface KnownMessage {
  readonly status: 'sent' | 'deleted';
  readonly id: string;
  readonly channelId: string;
  readonly communityId: string;
  readonly authorId: string;
  readonly content: MessageContent;
}

export type Message = { readonly status: 'unknown' } | KnownMessage;

function evolve(message: Message, event: MessageEvent): Message {
  if (event.type === 'MessageSent') {
    const { messageId: id, channelId, communityId, authorId, content, attachments } = event.data;
    return { status: 'sent', id, channelId, communityId, authorId, content: { content, attachments } };
  }
  if (message.status === 'unknown') return message;

  switch (event.type) {
    case 'MessageEdited':
      return { ...message, content: { ...message.content, ...event.data.changes } };
    case 'MessageDeleted':
      return { ...message, status: 'deleted', content: { content: null, attachments: [] } };
  }
}

/** `target` is the message that `replyTo` names; null when it names none. */
export type MessageCommand =
  | { readonly type: 'SendMessage'; readonly message: NewMessage; readonly target: Message | null }
  | { readonly type: 'EditMessage'; readonly content: Partial<MessageContent> }
  | { readonly type: 'DeleteMessage'; readonly userId: string };

function decide(command: MessageCommand, message: Message, { now: at }: DecisionContext): readonly MessageEvent[] {
  if (command.type === 'SendMessage') return message.status === 'unknown' ? send(command, at) : [];
  if (message.status === 'unknown') throw Rejection.notFound();

  switch (command.type) {
    case 'EditMessage':
      return edit(command.content, message, at);
    case 'DeleteMessage':
      return message.status === 'deleted'
        ? []
        : [{ type: 'MessageDeleted', data: { ...toChange(message, at), deletedBy: command.userId } }];
  }
}

function send(
  { message, target }: Extract<MessageCommand, { type: 'SendMessage' }>,
  at: string,
): readonly MessageEvent[] {
  assertNotEmpty(message);
  if (target !== null && (target.status !== 'sent' || target.channelId !== message.channelId))
    throw new Rejection('reply_target_invalid', 'The channel has no such message.', 'reply_to');
  return [{ type: 'MessageSent', data: { ...message, at } }];
}

function edit(content: Partial<MessageContent>, message: KnownMessage, at: string): readonly MessageEvent[] {
  if (message.status === 'deleted') throw Rejection.notFound();
  const changes = diff(content, message.content);
  if (Object.keys(changes).length === 0) return [];
  assertNotEmpty({ ...message.content, ...changes });
  return [{ type: 'MessageEdited', data: { ...toChange(message, at), changes } }];
}

function toChange({ id: messageId, channelId, communityId }: KnownMessage, at: string): MessageChange {
  return { messageId, channelId, communityId, at };
}

function assertNotEmpty({ content, attachments }: MessageContent): void {
  if (content === null && attachments.length === 0)
    throw new Rejection('content_required', 'A message needs content or an attachment.', 'content');
}

export const messageDecider: Decider<Message, MessageCommand, MessageEvent> = {
  category: 'message',
  versions: { MessageSent: 1, MessageEdited: 1, MessageDeleted: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
