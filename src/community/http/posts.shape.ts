import { flag, free, id, list, maybe, one, refer, resource, text, time, uri, whole, type Shape } from '../../http/openapi/shape.js';
import type { Attachment } from '../domain/attachment.js';
import type { PostDocument } from '../projections/posts.js';

const attachment: Shape<Attachment> = {
  schema: { type: 'object', required: ['url'], properties: { url: uri.schema }, additionalProperties: true },
};

export const post = resource<PostDocument>('Post', {
  id: id('post'),
  object: one('post'),
  community: refer('community', 'com'),
  author: refer('user', 'usr'),
  content: maybe(text),
  attachments: maybe(list(attachment)),
  metadata: free,
  required_level: whole,
  locked: flag,
  video_url: maybe(uri),
  like_count: whole,
  comment_count: whole,
  is_edited: flag,
  created_at: time,
  updated_at: time,
  deleted_at: maybe(time),
});
