import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../kernel/caller.js';
import { PostAccess } from '../access/post-access.js';
import { type CommentDocument, comments } from '../projections/comments.js';

interface CommentList extends Paging {
  readonly postId: string;
}

/** Lists the comments of a post, deleted ones included, so that replies keep their place. */
export class ListComments extends ContextQuery<CommentList, PageResult<CommentDocument>, CallerContext> {}

@QueryHandler(ListComments)
export class ListCommentsHandler implements IQueryHandler<ListComments> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context, params: { postId, page, perPage } }: ListComments): Promise<PageResult<CommentDocument>> {
    await this.postAccess.requireReadable(postId, context, 'read');
    return this.reader.getPage(comments, { where: { 'post.id': postId }, page, perPage }, context.consistency);
  }
}
