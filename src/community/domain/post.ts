import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

const RESTORE_DAYS = 30;

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

/** The data that every event of a post after the first one contains. */
interface PostChange {
  readonly postId: string;
  readonly communityId: string;
  readonly authorId: string;
  readonly at: string;
}

export type PostEvent =
  | Fact<'PostCreated', NewPost>
  | Fact<'PostEdited', PostChange & { changes: Partial<PostContent> }>
  | Fact<'PostDeleted', PostChange & { deletedBy: string }>
  | Fact<'PostRestored', PostChange & { restoredBy: string }>;

export interface KnownPost {
  readonly status: 'published' | 'deleted';
  readonly id: string;
  readonly communityId: string;
  readonly authorId: string;
  readonly content: PostContent;
  /** Null while the post is published. */
  readonly deletedAt: string | null;
}

export type Post = { readonly status: 'unknown' } | KnownPost;

function evolve(post: Post, event: PostEvent): Post {
  if (event.type === 'PostCreated') {
    const { postId: id, communityId, authorId, ...content } = event.data;
    return { status: 'published', id, communityId, authorId, content, deletedAt: null };
  }
  if (post.status === 'unknown') return post;

  switch (event.type) {
    case 'PostEdited':
      return { ...post, content: { ...post.content, ...event.data.changes } };
    case 'PostDeleted':
      return { ...post, status: 'deleted', deletedAt: event.data.at };
    case 'PostRestored':
      return { ...post, status: 'published', deletedAt: null };
  }
}

/** The caller's permission is checked before; `userId` is the user who acts. */
export type PostCommand =
  | ({ readonly type: 'CreatePost' } & NewPost)
  | { readonly type: 'EditPost'; readonly content: Partial<PostContent> }
  | { readonly type: 'DeletePost' | 'RestorePost'; readonly userId: string };

function decide(command: PostCommand, post: Post, { now }: DecisionContext): readonly PostEvent[] {
  if (command.type === 'CreatePost') return post.status === 'unknown' ? create(command) : [];
  if (post.status === 'unknown') throw Rejection.notFound();

  switch (command.type) {
    case 'EditPost':
      return edit(command.content, post, now);
    case 'DeletePost':
      return post.status === 'deleted'
        ? []
        : [{ type: 'PostDeleted', data: { ...toChange(post, now), deletedBy: command.userId } }];
    case 'RestorePost':
      return restore(command.userId, post, now);
  }
}

function create({ type: _, ...newPost }: Extract<PostCommand, { type: 'CreatePost' }>): readonly PostEvent[] {
  assertNotEmpty(newPost);
  return [{ type: 'PostCreated', data: newPost }];
}

function edit(content: Partial<PostContent>, post: KnownPost, now: string): readonly PostEvent[] {
  if (post.status === 'deleted') throw Rejection.notFound();
  const changes = diff(content, post.content);
  if (Object.keys(changes).length === 0) return [];
  assertNotEmpty({ ...post.content, ...changes });
  return [{ type: 'PostEdited', data: { ...toChange(post, now), changes } }];
}

function restore(restoredBy: string, post: KnownPost, now: string): readonly PostEvent[] {
  if (post.deletedAt === null) return [];
  if (now > addMs(post.deletedAt, RESTORE_DAYS * DAY_MS))
    throw new Rejection('restore_expired', `A post can be restored within ${RESTORE_DAYS} days.`);
  return [{ type: 'PostRestored', data: { ...toChange(post, now), restoredBy } }];
}

function toChange({ id: postId, communityId, authorId }: KnownPost, at: string): PostChange {
  return { postId, communityId, authorId, at };
}

function assertNotEmpty({ content, attachments, videoUrl }: PostContent): void {
  if (content === null && attachments.length === 0 && videoUrl === null)
    throw new Rejection('content_required', 'A post needs content, an attachment or a video.', 'content');
}

export const postDecider: Decider<Post, PostCommand, PostEvent> = {
  category: 'post',
  versions: { PostCreated: 1, PostEdited: 1, PostDeleted: 1, PostRestored: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
