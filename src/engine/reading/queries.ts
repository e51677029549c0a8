import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Context } from '../../kernel/context.js';
import { own, ownedBy, type Owned } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { Where } from '../../kernel/read-models.js';
import { Views, type PageOf } from './views.js';

/** Returns one resource of the caller's business. */
export class Retrieve<D extends Owned> extends Query<D> {
  constructor(
    readonly projection: Projection<D>,
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(Retrieve)
export class RetrieveHandler implements IQueryHandler<Retrieve<Owned>> {
  constructor(private readonly views: Views) {}

  async execute({ projection, context, id }: Retrieve<Owned>): Promise<Owned> {
    return own(await this.views.get(projection, id, context.progress), context);
  }
}

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** Returns a page of the resources of the caller's business that match the filter, newest first. */
export class ListPage<D extends Owned> extends Query<PageOf<D>> {
  constructor(
    readonly projection: Projection<D>,
    readonly context: Context,
    readonly paging: Paging,
    readonly filter: Where = {},
  ) {
    super();
  }
}

@QueryHandler(ListPage)
export class ListPageHandler implements IQueryHandler<ListPage<Owned>> {
  constructor(private readonly views: Views) {}

  execute({ projection, context, paging: { page, perPage }, filter }: ListPage<Owned>): Promise<PageOf<Owned>> {
    return this.views.page(projection, { where: { ...ownedBy(context), ...filter }, page, perPage }, context.progress);
  }
}
