import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../kernel/caller.js';
import { requireFound } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import { LibraryAccess } from '../access/library-access.js';
import {
  type LibraryResourceDocument,
  libraryResources,
  showLibraryResource,
} from '../projections/library-resources.js';

export class RetrieveLibraryResource extends ContextQuery<{ id: string }, LibraryResourceDocument, CallerContext> {}

@QueryHandler(RetrieveLibraryResource)
export class RetrieveLibraryResourceHandler implements IQueryHandler<RetrieveLibraryResource> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly communityAccess: CommunityAccess,
    private readonly access: LibraryAccess,
  ) {}

  async execute({ context, params: { id } }: RetrieveLibraryResource): Promise<LibraryResourceDocument> {
    const { viewer } = await this.access.requireAvailable(id, context, 'read');
    const found = requireFound(await this.reader.get(libraryResources, id, context.consistency));
    return showLibraryResource(found, await this.communityAccess.readLevel(viewer));
  }
}

interface ResourceList extends Paging {
  readonly communityId: string;
}

/** Lists the resources that are not deleted. */
export class ListLibraryResources extends ContextQuery<
  ResourceList,
  PageResult<LibraryResourceDocument>,
  CallerContext
> {}

@QueryHandler(ListLibraryResources)
export class ListLibraryResourcesHandler implements IQueryHandler<ListLibraryResources> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context, params }: ListLibraryResources): Promise<PageResult<LibraryResourceDocument>> {
    const { communityId, page, perPage } = params;
    const viewer = await this.access.require(communityId, context, 'read');
    const where = { 'community.id': communityId, deleted_at: null };
    const found = await this.reader.getPage(libraryResources, { where, page, perPage }, context.consistency);
    const level = await this.access.readLevel(viewer);
    return { ...found, data: found.data.map((resource) => showLibraryResource(resource, level)) };
  }
}

export const libraryQueryHandlers = [RetrieveLibraryResourceHandler, ListLibraryResourcesHandler];
