import { pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  describe,
  type DocumentOf,
  list,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { MessageEvent } from '../domain/message.js';
import { attachmentSchema } from './attachments.js';
import { authorReference, creationTime, deletionTime, idFields } from './fields.js';

/** A deleted message has no content and no attachments, and its replies stay. */
export const messageSchema = resource('Message', {
  ...idFields('message', 'msg'),
  channel: describe(ref('channel', 'chan'), 'The channel that the message was sent to.'),
  author: authorReference,
  content: describe(
    nullable(string),
    'The text of the message; null for attachments alone, and once the message is deleted.',
    'See you at six.',
  ),
  attachments: describe(
    list(attachmentSchema),
    'The files and links of the message, as they were sent; empty once the message is deleted.',
  ),
  reply_to: describe(
    nullable(ref('message', 'msg')),
    'The message of the same channel that this message replies to, or null.',
  ),
  is_edited: describe(boolean, 'Whether the author has changed the message.'),
  created_at: creationTime,
  updated_at: describe(dateTime, 'The time of the latest edit; before one, of the creation.'),
  deleted: describe(boolean, 'Whether the message is deleted; its replies stay.'),
  deleted_at: deletionTime,
  deleted_by: describe(nullable(ref('user', 'usr')), 'The user who deleted the message, or null before that.'),
});

export type MessageDocument = DocumentOf<typeof messageSchema>;

export const messages: Projection<MessageDocument, MessageEvent> = {
  name: 'messages',
  version: 1,
  id: pickId('messageId'),
  indexes: [['channel.id', 'created_at']],
  on: {
    MessageSent: (_, { data }) => ({
      id: data.messageId,
      object: 'message',
      channel: toReference('channel', data.channelId),
      author: toReference('user', data.authorId),
      content: data.content,
      attachments: data.attachments,
      reply_to: optionalReference('message', data.replyTo),
      is_edited: false,
      created_at: data.at,
      updated_at: data.at,
      deleted: false,
      deleted_at: null,
      deleted_by: null,
    }),
    MessageEdited: (message, { data }) =>
      message && { ...message, ...data.changes, is_edited: true, updated_at: data.at },
    MessageDeleted: (message, { data }) =>
      message && {
        ...message,
        content: null,
        attachments: [],
        deleted: true,
        deleted_at: data.at,
        deleted_by: toReference('user', data.deletedBy),
      },
  },
};
