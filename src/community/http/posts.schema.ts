import {
  boolean,
  dateTime,
  enumOf,
  freeForm,
  id,
  integer,
  list,
  nullable,
  ref,
  resource,
  type Schema,
  string,
  uri,
} from '../../kernel/schema.js';
import type { Attachment } from '../domain/attachment.js';

const attachmentSchema: Schema<Attachment> = {
  schema: { type: 'object', required: ['url'], properties: { url: uri.schema }, additionalProperties: true },
};

export const postSchema = resource('Post', {
  id: id('post'),
  object: enumOf('post'),
  community: ref('community', 'com'),
  author: ref('user', 'usr'),
  content: nullable(string),
  attachments: nullable(list(attachmentSchema)),
  metadata: freeForm,
  required_level: integer,
  locked: boolean,
  video_url: nullable(uri),
  like_count: integer,
  comment_count: integer,
  is_edited: boolean,
  created_at: dateTime,
  updated_at: dateTime,
  deleted_at: nullable(dateTime),
});
