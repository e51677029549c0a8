import { type Comment, commentDecider, type CommentEvent } from '../../../src/community/domain/comment.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const comment = {
  commentId: 'cmt_1',
  postId: 'post_1',
  communityId: 'com_1',
  authorId: 'usr_1',
  content: 'Which cone?',
  parentCommentId: null,
};
const create = { type: 'CreateComment', comment, parent: null } as const;
const created: CommentEvent = { type: 'CommentCreated', data: { ...comment, at: NOW } };
const deleted: CommentEvent = {
  type: 'CommentDeleted',
  data: { commentId: 'cmt_1', postId: 'post_1', communityId: 'com_1', deletedBy: 'usr_2', at: NOW },
};
const parent: Comment = {
  status: 'published',
  id: 'cmt_0',
  postId: 'post_1',
  communityId: 'com_1',
  authorId: 'usr_2',
};

describe('A comment', () => {
  it('is created', () => given(commentDecider).when(create).then(created));

  it('is created once', () => given(commentDecider, created).when(create).thenNothing());

  it('replies to a comment of its post', () =>
    given(commentDecider)
      .when({ ...create, parent })
      .then(created));

  it.each<[string, Comment]>([
    ['an unknown comment', { status: 'unknown' }],
    ['a deleted comment', { ...parent, status: 'deleted' }],
    ['a comment of another post', { ...parent, postId: 'post_2' }],
  ])('cannot reply to %s', (_, target) =>
    given(commentDecider)
      .when({ ...create, parent: target })
      .thenRejects('reply_target_invalid', 'parent_comment_id'),
  );

  it('is deleted', () => given(commentDecider, created).when({ type: 'DeleteComment', userId: 'usr_2' }).then(deleted));

  it('is deleted once', () =>
    given(commentDecider, created, deleted).when({ type: 'DeleteComment', userId: 'usr_1' }).thenNothing());

  it('cannot be deleted when it does not exist', () =>
    given(commentDecider).when({ type: 'DeleteComment', userId: 'usr_1' }).thenRejects('not_found'));
});
