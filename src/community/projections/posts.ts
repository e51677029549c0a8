import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
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
import type { Attachment, PostEvent } from '../domain/post.js';

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

export type PostDocument = DocumentOf<typeof postSchema>;

export const posts: Projection<PostDocument, PostEvent> = {
  name: 'posts',
  version: 1,
  id: pickId('postId'),
  indexes: [['community.id', 'created_at']],
  totals: [['community.id']],
  on: {
    PostCreated: (_, event) => toPostDocument(event),
  },
};

function toPostDocument({ data, meta }: EventOf<PostEvent, 'PostCreated'>): PostDocument {
  const { postId, communityId, authorId, content, attachments, metadata, requiredLevel, videoUrl } = data;
  return {
    id: postId,
    object: 'post',
    community: toReference('community', communityId),
    author: toReference('user', authorId),
    content,
    attachments,
    metadata,
    required_level: requiredLevel,
    locked: false,
    video_url: videoUrl,
    like_count: 0,
    comment_count: 0,
    is_edited: false,
    created_at: meta.at,
    updated_at: meta.at,
    deleted_at: null,
  };
}

/** Removes the content, for a viewer below the required level. */
export function lockPost(post: PostDocument): PostDocument {
  return { ...post, locked: true, content: null, attachments: null, video_url: null };
}
