import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { boolean, describe, type DocumentOf, id, nullable, ref, resource, string } from '../../kernel/schema.js';
import type { CommentEvent } from '../domain/comment.js';
import { deletedFields } from './deletions.js';
import { authorReference, creationTime, deletionTime, idFields } from './fields.js';

const commentFields = {
  ...idFields('comment', 'cmt'),
  post: describe(ref('post', 'post'), 'The post that the comment is about.'),
  author: authorReference,
  content: describe(nullable(string), 'The text of the comment; null once the comment is deleted.', 'Well said!'),
  parent_comment_id: describe(
    nullable(id('cmt')),
    'The id of the comment that this comment replies to; null for a comment on the post itself.',
  ),
  created_at: creationTime,
  deleted: describe(boolean, 'Whether the comment is deleted; its replies stay.'),
  deleted_at: deletionTime,
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
