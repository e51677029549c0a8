import { flag, free, id, list, nullable, one, refer, resource, text, time, uri, whole, type Shape } from '../../kernel/schema.js';
import type { Attachment } from '../domain/attachment.js';

const attachment: Shape<Attachment> = {
  schema: { type: 'object', required: ['url'], properties: { url: uri.schema }, additionalProperties: true },
};

export const post = resource('Post', {
  id: id('post'),
  object: one('post'),
  community: refer('community', 'com'),
  author: refer('user', 'usr'),
  content: nullable(text),
  attachments: nullable(list(attachment)),
  metadata: free,
  required_level: whole,
  locked: flag,
  video_url: nullable(uri),
  like_count: whole,
  comment_count: whole,
  is_edited: flag,
  created_at: time,
  updated_at: time,
  deleted_at: nullable(time),
});
