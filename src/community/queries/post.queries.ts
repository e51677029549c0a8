import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../identity/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../community-access.js';
import { lockPost, type PostDocument, posts } from '../projections/posts.js';

export class RetrievePost extends ContextQuery<{ id: string }, PostDocument, CallerContext> {}

@QueryHandler(RetrievePost)
export class RetrievePostHandler implements IQueryHandler<RetrievePost> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context, params: { id } }: RetrievePost): Promise<PostDocument> {
    const post = await this.reader.get(posts, id, context.consistency);
    if (post === null) throw Rejection.notFound();
    const viewer = await this.access.requireInner(post.community.id, context, 'read');
    const isAuthor = post.author.id === context.caller.user?.id;
    return isAuthor || (await this.access.hasLevel(viewer, post.required_level)) ? post : lockPost(post);
  }
}
