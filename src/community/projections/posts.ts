import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views } from '../../engine/reading/views.js';
import type { CallerContext } from '../../identity/caller.js';
import type { Recorded } from '../../kernel/event.js';
import { idIn, type Projection } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { Standings, type Presence } from '../standings.js';
import type { Attachment } from '../domain/attachment.js';
import type { PostEvent } from '../domain/post.js';
import { moderates } from '../domain/standing.js';
import { reference, type Reference } from '../../kernel/reference.js';

export interface PostDocument extends Reference<'post'> {
  readonly community: Reference<'community'>;
  readonly author: Reference<'user'>;
  readonly content: string | null;
  readonly attachments: readonly Attachment[] | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly required_level: number;
  readonly locked: boolean;
  readonly video_url: string | null;
  readonly like_count: number;
  readonly comment_count: number;
  readonly is_edited: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

export const posts: Projection<PostDocument> = {
  name: 'posts',
  version: 1,
  id: idIn('postId'),
  indexes: [['community.id', 'created_at']],
  totals: [['community.id']],
  on: {
    PostCreated: (_, { data }: Recorded<string, PostEvent['data']>) => created(data),
  },
};

function created(data: PostEvent['data']): PostDocument {
  const { postId, communityId, authorId, content, attachments, metadata, requiredLevel, videoUrl, at } = data;
  return {
    id: postId,
    object: 'post',
    community: reference('community', communityId),
    author: reference('user', authorId),
    content,
    attachments,
    metadata,
    required_level: requiredLevel,
    locked: false,
    video_url: videoUrl,
    like_count: 0,
    comment_count: 0,
    is_edited: false,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
}

/** Removes the content, for a viewer below the required level. */
export function locked(post: PostDocument): PostDocument {
  return { ...post, locked: true, content: null, attachments: null, video_url: null };
}

export class RetrievePost extends Query<PostDocument> {
  constructor(
    readonly context: CallerContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(RetrievePost)
export class RetrievePostHandler implements IQueryHandler<RetrievePost> {
  constructor(
    private readonly views: Views,
    private readonly standings: Standings,
  ) {}

  async execute({ context, id }: RetrievePost): Promise<PostDocument> {
    const post = await this.views.get(posts, id, context.progress);
    if (post === null) throw Rejection.notFound();
    const presence = await this.standings.of(post.community.id, context);
    if (presence.standing === 'outsider') throw Rejection.notFound();
    return (await this.mayRead(post, presence, context)) ? post : locked(post);
  }

  /** Moderators read every post, and authors their own posts. */
  private async mayRead(post: PostDocument, presence: Presence, { caller }: CallerContext): Promise<boolean> {
    if (moderates(presence.standing) || post.author.id === caller.user?.id) return true;
    return (await this.standings.levelOf(presence)) >= post.required_level;
  }
}
