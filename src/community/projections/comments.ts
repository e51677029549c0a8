import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { CommentEvent } from '../domain/comment.js';
import { deletedFields } from './deletions.js';

const commentFields = {
  id: id('cmt'),
  object: enumOf('comment'),
  post: ref('post', 'post'),
  author: ref('user', 'usr'),
  content: nullable(string),
  parent_comment_id: nullable(id('cmt')),
  created_at: dateTime,
  deleted: boolean,
  deleted_at: nullable(dateTime),
};

/** A deleted comment has no content, and its replies stay. */
export const commentSchema = resource('Comment', commentFields);
/** The answer to a deletion. */
export const deletedCommentSchema = resource('DeletedComment', { ...commentFields, ...deletedFields });

export type DeletedComment = DocumentOf<typeof deletedCommentSchema>;

export interface CommentDocument extends DocumentOf<typeof commentSchema> {
  readonly _deletedBy: string | null;
}

export const comments: Projection<CommentDocument, CommentEvent> = {
  name: 'comments',
  version: 2,
  id: pickId('commentId'),
  indexes: [['post.id', 'created_at']],
  totals: [['post.id']],
  on: {
    CommentCreated: (_, { data }) => ({
      id: data.commentId,
      object: 'comment',
      post: toReference('post', data.postId),
      author: toReference('user', data.authorId),
      content: data.content,
      parent_comment_id: data.parentCommentId,
      created_at: data.at,
      deleted: false,
      deleted_at: null,
      _deletedBy: null,
    }),
    CommentDeleted: (comment, { data }) =>
      comment && { ...comment, content: null, deleted: true, deleted_at: data.at, _deletedBy: data.deletedBy },
  },
};
