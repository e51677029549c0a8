import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../identity/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { type CommunityAccess, CommunityRoles } from '../community-roles.js';
import { canModerate } from '../domain/community-role.js';
import { lockPost, type PostDocument, posts } from '../projections/posts.js';

export class RetrievePost extends ContextQuery<{ id: string }, PostDocument, CallerContext> {}

@QueryHandler(RetrievePost)
export class RetrievePostHandler implements IQueryHandler<RetrievePost> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly roles: CommunityRoles,
  ) {}

  async execute({ context, params: { id } }: RetrievePost): Promise<PostDocument> {
    const post = await this.reader.get(posts, id, context.consistency);
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
