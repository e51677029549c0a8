import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../kernel/caller.js';
import { requireFound } from '../../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer } from '../access/community-access.js';
import { PostAccess } from '../access/post-access.js';
import { type PostDocument, posts, showPost } from '../projections/posts.js';

export class RetrievePost extends ContextQuery<{ id: string }, PostDocument, CallerContext> {}

@QueryHandler(RetrievePost)
export class RetrievePostHandler implements IQueryHandler<RetrievePost> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context, params: { id } }: RetrievePost): Promise<PostDocument> {
    const { viewer } = await this.postAccess.require(id, context, 'read');
    const post = requireFound(await this.reader.get(posts, id, context.consistency));
    return showTo(viewer, post, await this.access.readLevel(viewer));
  }
}

interface PostList extends Paging {
  readonly communityId: string;
}

/** Lists the posts that are not deleted. */
export class ListPosts extends ContextQuery<PostList, PageResult<PostDocument>, CallerContext> {}

@QueryHandler(ListPosts)
export class ListPostsHandler implements IQueryHandler<ListPosts> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context, params: { communityId, page, perPage } }: ListPosts): Promise<PageResult<PostDocument>> {
    const viewer = await this.access.require(communityId, context, 'read');
    const where = { 'community.id': communityId, _deleted: false };
    const found = await this.reader.getPage(posts, { where, page, perPage }, context.consistency);
    const level = await this.access.readLevel(viewer);
    return { ...found, data: found.data.map((post) => showTo(viewer, post, level)) };
  }
}

function showTo(viewer: CommunityViewer, post: PostDocument, level: number): PostDocument {
  const isAuthor = post.author.id === viewer.context.caller.user?.id;
  return showPost(post, isAuthor || level >= post.required_level);
}

export const postQueryHandlers = [RetrievePostHandler, ListPostsHandler];
