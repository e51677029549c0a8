import { postLikeDecider, type PostLikeEvent } from '../../../src/community/domain/post-like.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const like = { postId: 'post_1', communityId: 'com_1', userId: 'usr_1' };
const liked: PostLikeEvent = { type: 'PostLiked', data: { ...like, at: NOW } };
const unliked: PostLikeEvent = { type: 'PostUnliked', data: { ...like, at: NOW } };

describe('The like of a user', () => {
  it('is recorded', () =>
    given(postLikeDecider)
      .when({ type: 'LikePost', ...like })
      .then(liked));

  it('is recorded once', () =>
    given(postLikeDecider, liked)
      .when({ type: 'LikePost', ...like })
      .thenNothing());

  it('is withdrawn', () =>
    given(postLikeDecider, liked)
      .when({ type: 'UnlikePost', ...like })
      .then(unliked));

  it('is withdrawn once', () =>
    given(postLikeDecider, liked, unliked)
      .when({ type: 'UnlikePost', ...like })
      .thenNothing());

  it('is recorded again after it was withdrawn', () =>
    given(postLikeDecider, liked, unliked)
      .when({ type: 'LikePost', ...like })
      .then(liked));
});
