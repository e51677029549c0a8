import { Injectable } from '@nestjs/common';
import type { ConsistencyContext, Context } from '../../kernel/context.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { type Owned, requireOwned } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import type { Projection, Versioned } from '../../kernel/projection.js';
import {
  type Filter,
  type FindQuery,
  type JsonDocument,
  type PathOf,
  ReadModels,
  type Slice,
  type Where,
  type WhereOf,
} from '../../kernel/read-models.js';
import { Builds } from '../builds/builds.js';
import { Keys } from '../encryption/keys.js';
import { Cursors } from './cursor.js';
import { DocumentOwners } from './document-owners.js';
import { findFromNearerEnd } from './find-from-nearer-end.js';

const TIMEOUT_MS = 1_500;
const MAX_WAITS = 40;
const ORDER = 'created_at';

export interface PageResult<D> {
  readonly data: D[];
  readonly pagination: {
    readonly total_pages: number;
    readonly current_page: number;
    readonly per_page: number;
    readonly total_count: number;
  };
}

/** A page for a response. Its documents may be unparsed. */
export type ResponsePage<D> = PageResult<D | JsonDocument>;

export interface SliceResult<D> {
  readonly data: D[];
  readonly pagination: { readonly next_cursor: string | null; readonly has_more: boolean };
}

interface PageRequest<D, W extends Where> {
  readonly where: Filter<D, W>;
  readonly page: number;
  readonly perPage: number;
  /** Dotted path; descending order, then by id. */
  readonly orderBy?: PathOf<D>;
}

export interface SliceRequest<D, W extends Where> {
  readonly where: Filter<D, W>;
  readonly limit: number;
  readonly after: string | null;
  readonly orderBy?: PathOf<D>;
  readonly ascending?: boolean;
}

interface Find<D, W extends Where> extends Omit<FindQuery, 'offset'> {
  readonly where: Filter<D, W>;
  readonly orderBy: PathOf<D>;
}

type Load<T> = (build: string) => Promise<T | null>;

/**
 * Reads documents. Each read first waits, at most 1.5 s, until the projection has reached the positions that the caller
 * has seen or written. After that time it serves the documents it has and marks the consistency context as stale.
 */
@Injectable()
export class ReadModelReader {
  private readonly owners = new DocumentOwners();

  constructor(
    private readonly readModels: ReadModels,
    private readonly builds: Builds,
    private readonly store: EventStore,
    private readonly keys: Keys,
  ) {}

  /**
   * Returns a document; null only when no event acknowledged before the call creates it.
   * @throws StoreUnavailable when the document may not be projected yet
   */
  async get<D extends object>(projection: Projection<D>, id: string, progress: ConsistencyContext): Promise<D | null> {
    return this.loadOrWait(projection, progress, (build) => this.load<D>(build, id));
  }

  /** Returns the document of the caller. @throws Rejection the 404 of an unknown id */
  async getOwned<D extends Owned>(projection: Projection<D>, id: string, context: Context): Promise<D> {
    return requireOwned(await this.get(projection, id, context.consistency), context);
  }

  /** Returns the document of the caller for a response. @throws Rejection the 404 of an unknown id */
  async getOwnedResponse<D extends Owned>(
    projection: Projection<D>,
    id: string,
    context: Context,
  ): Promise<D | JsonDocument> {
    const load = (build: string) => this.readModels.loadUnparsed<D>(build, id);
    const found = await this.loadOrWait(projection, context.consistency, load);
    requireOwned(found && this.owners.find(found), context);
    return found!;
  }

  /** Returns the documents that exist now, by id. It does not wait, because the other documents may never exist. */
  async getExisting<D extends object>(
    projection: Projection<D>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, D>> {
    const rows = await this.builds.read(projection, (build) => this.readModels.load(build, ids));
    return new Map(rows.filter(({ document }) => document !== null).map(({ id, document }) => [id, document as D]));
  }

  /** Returns a page of a list. A page number beyond the end returns the last page; an empty list has one page. */
  async getPage<D extends object, W extends Where>(
    projection: Projection<D>,
    request: PageRequest<D, W>,
    progress: ConsistencyContext,
  ): Promise<PageResult<D>> {
    return this.readActiveBuild(projection, progress, (build) =>
      this.loadPage(build, request, (find) => this.readModels.find<D>(build, find)),
    );
  }

  /** Returns the same page for a response. */
  async getResponsePage<D extends object, W extends Where>(
    projection: Projection<D>,
    request: PageRequest<D, W>,
    progress: ConsistencyContext,
  ): Promise<ResponsePage<D>> {
    return this.readActiveBuild(projection, progress, (build) =>
      this.loadPage(build, request, (find) => this.readModels.findUnparsed<D>(build, find)),
    );
  }

  /**
   * Returns a slice of a list. A slice may hold fewer than `limit` documents and still have a next one, when the filter
   * skips many.
   * @throws Rejection `invalid_parameter` for an `after` that this list did not issue
   */
  async getSlice<D extends object, W extends Where>(
    projection: Projection<D>,
    request: SliceRequest<D, W>,
    progress: ConsistencyContext,
  ): Promise<SliceResult<D>> {
    const { where, limit, orderBy = ORDER, ascending = false } = request;
    const cursors = new Cursors(this.keys, projection.name, ascending ? `${orderBy} ascending` : orderBy, where);
    const after = request.after === null ? undefined : cursors.decode(request.after);
    const find: FindQuery = { where, orderBy, ascending, after, limit };
    const { documents, next } = await this.readActiveBuild(projection, progress, (build) =>
      this.readModels.findSlice<D>(build, find),
    );
    return { data: [...documents], pagination: { next_cursor: next && cursors.encode(next), has_more: next !== null } };
  }

  /** Returns a slice of a list whose cursors the caller makes. */
  findSlice<D extends object, W extends Where>(
    projection: Projection<D>,
    find: Find<D, W>,
    progress: ConsistencyContext,
  ): Promise<Slice<D>> {
    return this.readActiveBuild(projection, progress, (build) => this.readModels.findSlice<D>(build, find));
  }

  /** Counts exactly. A filter that fits an index is counted there, without a read of the documents. */
  count<D extends object>(projection: Projection<D>, where: WhereOf<D>, progress: ConsistencyContext): Promise<number> {
    return this.readActiveBuild(projection, progress, (build) => this.readModels.count(build, where as Where));
  }

  /** Returns the newest matching documents. */
  async find<D extends object, W extends Where>(
    projection: Projection<D>,
    where: Filter<D, W>,
    limit: number,
    progress: ConsistencyContext,
    orderBy: PathOf<D> | typeof ORDER = ORDER,
  ): Promise<D[]> {
    return this.readActiveBuild(projection, progress, (build) =>
      this.readModels.find<D>(build, { where, orderBy, limit }),
    );
  }

  /** Returns whether the projection reaches the position within `ms`. */
  waitUntil(projection: Versioned, position: Position, ms: number = TIMEOUT_MS): Promise<boolean> {
    return this.builds.waitUntil(projection, position, ms);
  }

  /**
   * Resolves when the projection has reached the position: only then may a decision depend on it.
   * @throws StoreUnavailable after a minute, or sooner when the projection is known to be late: the reactor tries again
   */
  async requirePosition(projection: Versioned, position: Position): Promise<void> {
    for (let waits = 1; waits <= MAX_WAITS; waits++) if (await this.waitUntil(projection, position)) return;
    throw new StoreUnavailable(`${projection.name} has not reached ${position}`, false);
  }

  private async loadOrWait<D extends object, T>(
    projection: Projection<D>,
    progress: ConsistencyContext,
    load: Load<T>,
  ): Promise<T | null> {
    return (await this.readActiveBuild(projection, progress, load)) ?? this.loadWhenCurrent(projection, load);
  }

  /** The build may be dropped during the wait, and the next active build may have an older position. */
  private async readActiveBuild<D extends object, T>(
    projection: Projection<D>,
    progress: ConsistencyContext,
    work: (build: string) => Promise<T>,
  ): Promise<T> {
    if (!(await this.waitUntil(projection, progress.position))) progress.isStale = true;
    return this.builds.readAtPosition(projection, progress, work);
  }

  private async load<D extends object>(build: string, id: string): Promise<D | null> {
    const [row] = await this.readModels.load(build, [id]);
    return (row?.document ?? null) as D | null;
  }

  /**
   * A missing document may not be projected yet, so the read waits for the head of the log. A client finds a new id
   * under every credential.
   */
  private async loadWhenCurrent<D extends object, T>(projection: Projection<D>, load: Load<T>): Promise<T | null> {
    const head = await this.store.readHead();
    const isCurrent = await this.waitUntil(projection, head);
    const found = await this.builds.read(projection, load);
    if (found === null && !isCurrent) throw new StoreUnavailable(`${projection.name} has not reached ${head}`, false);
    return found;
  }

  private async loadPage<T>(
    build: string,
    { where, page, perPage, orderBy = ORDER }: PageRequest<object, Where>,
    find: (query: FindQuery) => Promise<T[]>,
  ): Promise<PageResult<T>> {
    const total = await this.readModels.count(build, where);
    const pages = Math.max(1, Math.ceil(total / perPage));
    const current = Math.min(page, pages);
    const data = await findFromNearerEnd(
      { where, orderBy, offset: (current - 1) * perPage, limit: perPage },
      total,
      find,
    );
    return { data, pagination: { total_pages: pages, current_page: current, per_page: perPage, total_count: total } };
  }
}
