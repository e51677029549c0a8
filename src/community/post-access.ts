import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { CallerContext } from '../identity/caller.js';
import { Rejection } from '../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';
import { canModerate, type CommunityAction } from './domain/community-role.js';
import { type KnownPost, postDecider } from './domain/post.js';

export interface ViewedPost {
  readonly post: KnownPost;
  readonly viewer: CommunityViewer;
}

/** Decides which posts a caller may use. */
@Injectable()
export class PostAccess {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  /** Moderators and the author see a deleted post. @throws Rejection not_found, permission_denied … */
  async require(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    const viewed = await this.requireAny(postId, context, action);
    const { post, viewer } = viewed;
    if (post.status === 'deleted' && !canModerate(viewer.role) && !isAuthor(post, context)) throw Rejection.notFound();
    return viewed;
  }

  /** Requires a post that is not deleted and not locked for the caller. @throws Rejection also insufficient_level */
  async requireOpen(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    const viewed = await this.requireReadable(postId, context, action);
    if (viewed.post.status === 'deleted') throw Rejection.notFound();
    return viewed;
  }

  /** Requires a post that is not locked for the caller: the comments of a deleted post can be read. */
  async requireReadable(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    const viewed = await this.requireAny(postId, context, action);
    const { post, viewer } = viewed;
    if (!isAuthor(post, context)) await this.access.requireLevel(viewer, post.content.requiredLevel);
    return viewed;
  }

  private async requireAny(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    const post = await this.streams.loadState(postDecider, postId);
    if (post.status === 'unknown') throw Rejection.notFound();
    return { post, viewer: await this.access.requireInner(post.communityId, context, action) };
  }
}

function isAuthor({ authorId }: KnownPost, { caller }: CallerContext): boolean {
  return authorId === caller.user?.id;
}
