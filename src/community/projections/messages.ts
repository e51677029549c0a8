import { pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  list,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { MessageEvent } from '../domain/message.js';
import { attachmentSchema } from './attachments.js';

/** A deleted message has no content and no attachments, and its replies stay. */
export const messageSchema = resource('Message', {
  id: id('msg'),
  object: enumOf('message'),
  channel: ref('channel', 'chan'),
  author: ref('user', 'usr'),
  content: nullable(string),
  attachments: list(attachmentSchema),
  reply_to: nullable(ref('message', 'msg')),
  is_edited: boolean,
  created_at: dateTime,
  updated_at: dateTime,
  deleted: boolean,
  deleted_at: nullable(dateTime),
  deleted_by: nullable(ref('user', 'usr')),
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
