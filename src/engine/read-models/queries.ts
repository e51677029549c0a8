import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Context } from '../../kernel/context.js';
import { type Owned, toOwnerFilter } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { Filter, JsonDocument, Where, WhereOf } from '../../kernel/read-models.js';
import { ReadModelReader, type ResponsePage, type SliceResult } from './read-model-reader.js';

/** Returns one resource of the caller's business for a response. It may be unparsed. */
export class Retrieve<D extends Owned> extends Query<D | JsonDocument> {
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
  constructor(private readonly reader: ReadModelReader) {}

  execute({ projection, context, id }: Retrieve<Owned>): Promise<Owned | JsonDocument> {
    return this.reader.getOwnedResponse(projection, id, context);
  }
}

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** Returns a page of the resources of the caller's business that match the filter, newest first, for a response. */
export class ListPage<D extends Owned, W extends Where = Where> extends Query<ResponsePage<D>> {
  readonly filter: WhereOf<Owned>;

  constructor(
    readonly projection: Projection<D>,
    readonly context: Context,
    readonly paging: Paging,
    filter?: Filter<D, W>,
  ) {
    super();
    this.filter = filter ?? {};
  }
}

@QueryHandler(ListPage)
export class ListPageHandler implements IQueryHandler<ListPage<Owned>> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ projection, context, paging: { page, perPage }, filter }: ListPage<Owned>): Promise<ResponsePage<Owned>> {
    const where = { ...toOwnerFilter(context), ...filter };
    return this.reader.getResponsePage(projection, { where, page, perPage }, context.consistency);
  }
}

export interface CursorPaging {
  readonly limit: number;
  readonly after: string | null;
}

/** Returns a slice of the resources of the caller's business that match the filter, newest first. */
export class ListSlice<D extends Owned, W extends Where = Where> extends Query<SliceResult<D>> {
  readonly filter: WhereOf<Owned>;

  constructor(
    readonly projection: Projection<D>,
    readonly context: Context,
    readonly paging: CursorPaging,
    filter?: Filter<D, W>,
  ) {
    super();
    this.filter = filter ?? {};
  }
}

@QueryHandler(ListSlice)
export class ListSliceHandler implements IQueryHandler<ListSlice<Owned>> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ projection, context, paging, filter }: ListSlice<Owned>): Promise<SliceResult<Owned>> {
    const where = { ...toOwnerFilter(context), ...filter };
    return this.reader.getSlice(projection, { where, ...paging }, context.consistency);
  }
}
