import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { commentDecider, type KnownComment } from '../domain/comment.js';
import { canModerate, type CommunityAction } from '../domain/community-role.js';
import { type KnownPost, postDecider } from '../domain/post.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';

export interface ViewedPost {
  readonly post: KnownPost;
  readonly viewer: CommunityViewer;
}

export interface ViewedComment extends ViewedPost {
  readonly comment: KnownComment;
}

/** Decides which posts and comments a caller may use. */
@Injectable()
export class PostAccess {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  /** Moderators and the author see a deleted post. @throws Rejection not_found, permission_denied … */
  async require(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    return this.requireVisible(postId, context, action, (post, { role }) => {
      return post.status !== 'deleted' || canModerate(role) || isAuthor(post, context);
    });
  }

  /** Requires a post that is not deleted and not locked for the caller. @throws Rejection also insufficient_level */
  async requireOpen(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    const viewed = await this.requireVisible(postId, context, action, ({ status }) => status !== 'deleted');
    return this.requireLevel(viewed, context);
  }

  /** Requires a post that is not locked for the caller: the comments of a deleted post can be read. */
  async requireReadable(postId: string, context: CallerContext, action: CommunityAction): Promise<ViewedPost> {
    return this.requireLevel(await this.requireVisible(postId, context, action, () => true), context);
  }

  /** Requires a comment, which may be deleted. Who cannot read its post does not see it. @throws Rejection not_found … */
  async requireComment(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedComment> {
    const comment = await this.streams.loadState(commentDecider, id);
    if (comment.status === 'unknown') throw Rejection.notFound();
    const canRead = (post: KnownPost, viewer: CommunityViewer) =>
      isAuthor(post, context) || this.access.hasLevel(viewer, post.content.requiredLevel);
    return { comment, ...(await this.requireVisible(comment.postId, context, action, canRead)) };
  }

  private async requireVisible(
    postId: string,
    context: CallerContext,
    action: CommunityAction,
    isVisibleTo: (post: KnownPost, viewer: CommunityViewer) => boolean | Promise<boolean>,
  ): Promise<ViewedPost> {
    const post = await this.streams.loadState(postDecider, postId);
    if (post.status === 'unknown') throw Rejection.notFound();
    const isVisible = (viewer: CommunityViewer) => isVisibleTo(post, viewer);
    return { post, viewer: await this.access.requireInner(post.communityId, context, action, isVisible) };
  }

  /** Authors read their own posts at every level. */
  private async requireLevel(viewed: ViewedPost, context: CallerContext): Promise<ViewedPost> {
    const { post, viewer } = viewed;
    if (!isAuthor(post, context)) await this.access.requireLevel(viewer, post.content.requiredLevel);
    return viewed;
  }
}

function isAuthor({ authorId }: KnownPost, { caller }: CallerContext): boolean {
  return authorId === caller.user?.id;
}
