import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';

interface Like {
  readonly postId: string;
  readonly communityId: string;
  readonly userId: string;
}

export type PostLikeEvent = Fact<'PostLiked' | 'PostUnliked', Like & { at: string }>;

export interface PostLike {
  readonly isLiked: boolean;
}

export interface PostLikeCommand extends Like {
  readonly type: 'LikePost' | 'UnlikePost';
}

function decide({ type, ...like }: PostLikeCommand, { isLiked }: PostLike, { now: at }: DecisionContext) {
  if (isLiked === (type === 'LikePost')) return [];
  return [{ type: isLiked ? 'PostUnliked' : 'PostLiked', data: { ...like, at } }] as const;
}

/** One user's like of one post. Each has a stream of its own, so that many users like one post at once. */
export const postLikeDecider: Decider<PostLike, PostLikeCommand, PostLikeEvent> = {
  category: 'postLike',
  versions: { PostLiked: 1, PostUnliked: 1 },
  initial: { isLiked: false },
  evolve: (_, { type }) => ({ isLiked: type === 'PostLiked' }),
  decide,
};

export function postLikeIdOf(postId: string, userId: string): string {
  return idOf('like', 0, postId, userId);
}
