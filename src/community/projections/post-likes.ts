import type { Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { boolean, dateTime, describe, type DocumentOf, enumOf, KIND, ref, resource } from '../../kernel/schema.js';
import type { PostLikeEvent } from '../domain/post-like.js';

export const postLikeSchema = resource('PostLike', {
  object: describe(enumOf('post_like'), KIND),
  post: describe(ref('post', 'post'), 'The post that is liked.'),
  user: describe(ref('user', 'usr'), 'The user who likes the post, or no longer does.'),
  liked: describe(boolean, 'Whether the user likes the post.', true),
  changed_at: describe(dateTime, 'The time at which the user liked the post, or stopped to.'),
});

/** Renders the public events of a like. It is not a read model. */
export const postLikes: Projection<DocumentOf<typeof postLikeSchema>, PostLikeEvent> = {
  name: 'postLikes',
  version: 1,
  id: ({ data }) => `${data.postId}.${data.userId}`,
  indexes: [],
  on: {
    PostLiked: (_, { data }) => toLike(data, true),
    PostUnliked: (_, { data }) => toLike(data, false),
  },
};

function toLike({ postId, userId, at }: PostLikeEvent['data'], liked: boolean): DocumentOf<typeof postLikeSchema> {
  return {
    object: 'post_like',
    post: toReference('post', postId),
    user: toReference('user', userId),
    liked,
    changed_at: at,
  };
}
