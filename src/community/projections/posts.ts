import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  describe,
  type DocumentOf,
  freeForm,
  integer,
  list,
  nullable,
  resource,
  string,
  uri,
} from '../../kernel/schema.js';
import type { CommentEvent } from '../domain/comment.js';
import type { PostContent, PostEvent } from '../domain/post.js';
import type { PostLikeEvent } from '../domain/post-like.js';
import { attachmentSchema } from './attachments.js';
import { deletedFields, markDeleted } from './deletions.js';
import { authorReference, communityFields, creationTime } from './fields.js';

const postFields = {
  ...communityFields('post', 'post'),
  author: authorReference,
  content: describe(nullable(string), 'The text of the post; null for none, and when the post is locked or deleted.'),
  attachments: describe(
    nullable(list(attachmentSchema)),
    'The files and links of the post, as they were sent; null when the post is locked or deleted.',
  ),
  metadata: describe(
    freeForm,
    'The values that the author stored with the post; empty when the post is locked or deleted.',
  ),
  required_level: describe(
    integer,
    'The lowest level of a member who may read, like and comment on the post; 0 admits all members.',
    0,
  ),
  locked: describe(boolean, 'Whether the level of the viewer is too low to read the post.'),
  video_url: describe(
    nullable(uri),
    'The address of a video; null for none, and when the post is locked or deleted.',
    'https://example.com/video',
  ),
  like_count: describe(integer, 'The number of users who like the post.'),
  comment_count: describe(integer, 'The number of comments that are not deleted.'),
  is_edited: describe(boolean, 'Whether the author has changed the post.'),
  created_at: creationTime,
  updated_at: describe(dateTime, 'The time of the latest edit; before one, of the creation.'),
  deleted_at: describe(
    nullable(dateTime),
    'The time at which the post was deleted; null before that, and once it is restored.',
  ),
};

export const postSchema = resource('Post', postFields);

/** The answer to a deletion. */
export const deletedPostSchema = resource('DeletedPost', { ...postFields, ...deletedFields });

/** A deleted post keeps its content for a restoration; `showPost` removes it. */
export interface PostDocument extends DocumentOf<typeof postSchema> {
  readonly _deleted: boolean;
  readonly _deletedBy: string | null;
}

type Event = PostEvent | PostLikeEvent | CommentEvent;

export const posts: Projection<PostDocument, Event> = {
  name: 'posts',
  version: 3,
  counts: ['like_count', 'comment_count'],
  id: pickId('postId'),
  indexes: [['community.id', '_deleted', 'created_at']],
  totals: [['community.id', '_deleted']],
  hourly: [{ group: ['community.id', '_deleted'], times: ['created_at'] }],
  on: {
    PostCreated: (_, event) => toPostDocument(event),
    PostEdited: (post, { data, meta }) =>
      post && { ...post, ...toContentFields(data.changes), is_edited: true, updated_at: meta.at },
    PostDeleted: (post, { data }) =>
      post && { ...post, deleted_at: data.at, _deleted: true, _deletedBy: data.deletedBy },
    PostRestored: (post) => post && { ...post, deleted_at: null, _deleted: false, _deletedBy: null },
    PostLiked: (post) => post && { ...post, like_count: post.like_count + 1 },
    PostUnliked: (post) => post && { ...post, like_count: post.like_count - 1 },
    CommentCreated: (post) => post && { ...post, comment_count: post.comment_count + 1 },
    CommentDeleted: (post) => post && { ...post, comment_count: post.comment_count - 1 },
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
    _deleted: false,
    _deletedBy: null,
  };
}

function toContentFields({ requiredLevel, videoUrl, ...same }: Partial<PostContent>) {
  return omitUndefined({ ...same, required_level: requiredLevel, video_url: videoUrl });
}

/** Returns the post as a viewer sees it: without content and metadata when it is deleted, or when the viewer's level is too low. */
export function showPost(post: PostDocument, canRead: boolean): PostDocument {
  if (canRead && !post._deleted) return post;
  return { ...post, locked: !canRead, content: null, attachments: null, metadata: {}, video_url: null };
}

export type DeletedPost = DocumentOf<typeof deletedPostSchema>;

export function toDeletedPost(post: PostDocument): DeletedPost {
  return markDeleted(showPost(post, true));
}
