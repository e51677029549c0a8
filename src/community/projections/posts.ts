import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../identity/caller.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { type Reference, toReference } from '../../kernel/reference.js';
import { Rejection } from '../../kernel/rejection.js';
import { type CommunityAccess, CommunityRoles } from '../community-roles.js';
import type { Attachment } from '../domain/attachment.js';
import { canModerate } from '../domain/community-role.js';
import type { PostEvent } from '../domain/post.js';

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
  id: pickId('postId'),
  indexes: [['community.id', 'created_at']],
  totals: [['community.id']],
  on: {
    PostCreated: (_, { data }: RecordedEvent<string, PostEvent['data']>) => toPostDocument(data),
  },
};

function toPostDocument(data: PostEvent['data']): PostDocument {
  const { postId, communityId, authorId, content, attachments, metadata, requiredLevel, videoUrl, at } = data;
  return {
    id: postId,
    object: 'post',
    community: toReference('community', communityId),
    author: toReference('user', authorId),
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
export function lockPost(post: PostDocument): PostDocument {
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
    private readonly views: ReadModelReader,
    private readonly roles: CommunityRoles,
  ) {}

  async execute({ context, id }: RetrievePost): Promise<PostDocument> {
    const post = await this.views.get(posts, id, context.consistency);
    if (post === null) throw Rejection.notFound();
    const access = await this.roles.resolve(post.community.id, context);
    if (access.role === 'outsider') throw Rejection.notFound();
    return (await this.canRead(post, access, context)) ? post : lockPost(post);
  }

  /** Moderators read every post, and authors their own posts. */
  private async canRead(post: PostDocument, access: CommunityAccess, { caller }: CallerContext): Promise<boolean> {
    if (canModerate(access.role) || post.author.id === caller.user?.id) return true;
    return (await this.roles.readLevel(access)) >= post.required_level;
  }
}
