import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

interface NewComment {
  readonly commentId: string;
  readonly postId: string;
  readonly communityId: string;
  readonly authorId: string;
  readonly content: string;
  readonly parentCommentId: string | null;
}

export type CommentEvent =
  | Fact<'CommentCreated', NewComment & { at: string }>
  | Fact<'CommentDeleted', { commentId: string; postId: string; communityId: string; deletedBy: string; at: string }>;

export interface KnownComment {
  readonly status: 'published' | 'deleted';
  readonly id: string;
  readonly postId: string;
  readonly communityId: string;
  readonly authorId: string;
}

export type Comment = { readonly status: 'unknown' } | KnownComment;

function evolve(comment: Comment, event: CommentEvent): Comment {
  if (event.type === 'CommentCreated') {
    const { commentId: id, postId, communityId, authorId } = event.data;
    return { status: 'published', id, postId, communityId, authorId };
  }
  return comment.status === 'unknown' ? comment : { ...comment, status: 'deleted' };
}

/** `parent` is the comment that `parentCommentId` names; null when it names none. */
export type CommentCommand =
  | { readonly type: 'CreateComment'; readonly comment: NewComment; readonly parent: Comment | null }
  | { readonly type: 'DeleteComment'; readonly userId: string };

function decide(command: CommentCommand, comment: Comment, { now: at }: DecisionContext): readonly CommentEvent[] {
  if (command.type === 'CreateComment') {
    assertIsReplyTarget(command.parent, command.comment.postId);
    return comment.status === 'unknown' ? [{ type: 'CommentCreated', data: { ...command.comment, at } }] : [];
  }
  if (comment.status === 'unknown') throw Rejection.notFound();
  if (comment.status === 'deleted') return [];

  const { id: commentId, postId, communityId } = comment;
  return [{ type: 'CommentDeleted', data: { commentId, postId, communityId, deletedBy: command.userId, at } }];
}

function assertIsReplyTarget(parent: Comment | null, postId: string): void {
  if (parent !== null && (parent.status !== 'published' || parent.postId !== postId))
    throw new Rejection('reply_target_invalid', 'The post has no such comment.', 'parent_comment_id');
}

export const commentDecider: Decider<Comment, CommentCommand, CommentEvent> = {
  category: 'comment',
  versions: { CommentCreated: 1, CommentDeleted: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
