import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** Request validation checks `url`; unknown keys are stored unchanged. */
export interface Attachment {
  readonly url: string;
  readonly [key: string]: unknown;
}

export interface PostContent {
  readonly content: string | null;
  readonly attachments: readonly Attachment[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly requiredLevel: number;
  readonly videoUrl: string | null;
}

interface NewPost extends PostContent {
  readonly postId: string;
  readonly communityId: string;
  readonly authorId: string;
}

export type PostEvent = Fact<'PostCreated', NewPost>;

export interface KnownPost {
  readonly status: 'published';
  readonly id: string;
  readonly communityId: string;
  readonly authorId: string;
  readonly requiredLevel: number;
}

export type Post = { readonly status: 'unknown' } | KnownPost;

function evolve(_: Post, { data: { postId: id, communityId, authorId, requiredLevel } }: PostEvent): Post {
  return { status: 'published', id, communityId, authorId, requiredLevel };
}

export type PostCommand = NewPost & { readonly type: 'CreatePost' };

function decide({ type: _, ...newPost }: PostCommand, state: Post): readonly PostEvent[] {
  if (state.status !== 'unknown') return [];
  if (isEmpty(newPost))
    throw new Rejection('content_required', 'A post needs content, an attachment or a video.', 'content');
  return [{ type: 'PostCreated', data: newPost }];
}

function isEmpty({
  content,
  attachments,
  videoUrl,
}: Pick<PostContent, 'content' | 'attachments' | 'videoUrl'>): boolean {
  return content === null && attachments.length === 0 && videoUrl === null;
}

export const postDecider: Decider<Post, PostCommand, PostEvent> = {
  category: 'post',
  versions: { PostCreated: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
