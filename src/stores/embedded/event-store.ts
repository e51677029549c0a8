import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.js';
import type { NewEvent, RecordedEvent } from '../../kernel/event.js';
import {
  type AppendResult,
  Conflict,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { ChangeNotifier } from './change-notifier.js';
import type { CommitQueue } from './commit-queue.js';
import { EventCache } from './event-cache.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';
import { decodePage, readHead, readPage } from './log.js';
import { toPosition, toRowNumber } from './positions.js';
import type { ReadThreads } from './read-threads/read-threads.js';
import type { Reader } from './reader.js';
import { LIMIT } from './sqlite.js';
import { StreamEnds } from './stream-ends.js';

const PAGE_SIZE = 500;
/** The page size of a stream, so that other work on the thread runs every few milliseconds. */
const STREAM_PAGE_SIZE = 100;

export class EmbeddedEventStore extends EventStore {
  private readonly cache = new EventCache();
  private readonly ends = new StreamEnds(this.cache);

  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly readThreads: ReadThreads,
    private readonly notifier: ChangeNotifier,
    private readonly clock: Clock,
  ) {
    super();
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    if (events.length === 0) throw new Error(`${stream}: an append needs at least one event`);
    const rows = events.map(({ id, type, data, meta }) => ({
      id,
      type,
      data: JSON.stringify(data),
      meta: JSON.stringify(meta),
    }));
    const outcome = await this.queue.run('append', stream, expected, rows);
    if ('conflict' in outcome) throw new Conflict(stream, expected, outcome.conflict);
    const { revision, position, positions = [position] } = outcome;
    for (const [i, event] of events.entries()) {
      const at = { stream, revision: revision - events.length + 1 + i, position: positions[i]! };
      this.cache.add({ ...event, ...at }, rows[i]!.data.length);
    }
    this.ends.onAppended(stream, revision, toRowNumber(position));
    this.notifier.notify();
    return outcome;
  }

  async *readStream(
    stream: string,
    { from, backwards = false, limit = Infinity }: ReadStreamOptions = {},
  ): AsyncIterable<RecordedEvent> {
    let next = from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
    for (let left = limit; left > 0;) {
      const size = Math.min(left, STREAM_PAGE_SIZE);
      const head = this.ends.knownHead;
      const rows = await this.readRevisions(stream, next, backwards, size);
      if (!backwards && rows.length < size) this.ends.onReadToEnd(stream, rows.at(-1)?.revision ?? next - 1, head);
      for (const row of rows) yield this.cache.decode(row);
      if (rows.length < size) return;
      // Other work on the thread runs between the pages of a long stream.
      await nextTurn();
      next = rows.at(-1)!.revision + (backwards ? -1 : 1);
      left -= rows.length;
    }
  }

  override isLastRevision(stream: string, revision: number): boolean {
    const head = this.reader.tryRead(readHead);
    return head !== null && this.ends.isLast(stream, revision, head);
  }

  /** A filtered read runs in another thread, because it may skip thousands of events. */
  async readAll(options: ReadAllOptions): Promise<EventPage> {
    if (options.filter === undefined) return this.reader.read((sql) => readPage(sql, options, this.cache));
    return decodePage(await this.readThreads.scans.run('readLog', options), this.cache);
  }

  async *follow(
    { after, filter, pageSize = PAGE_SIZE, lingerMs = 0 }: FollowOptions,
    signal: AbortSignal,
  ): AsyncIterable<EventPage> {
    const readAfter = (position: Position) =>
      this.readAll({ after: position, limit: pageSize, ...(filter && { filter }) });
    for (let next = after; !signal.aborted && this.reader.isOpen;) {
      const rings = this.notifier.notifications;
      let page = await readAfter(next);
      if (page.next === next) {
        await this.notifier.waitForChange(rings, signal);
        continue;
      }
      if (lingerMs > 0 && page.caughtUp && page.events.length < pageSize) {
        await this.clock.sleep(lingerMs, signal);
        if (signal.aborted || !this.reader.isOpen) return;
        page = await readAfter(next);
      }
      next = page.next;
      yield page;
    }
  }

  async readHead(): Promise<Position> {
    const head = await this.reader.read(readHead);
    return head === 0 ? '' : toPosition(head);
  }

  /** The file has a single order, so reading its head confirms the position. */
  confirmPosition(): Promise<Position> {
    return this.readHead();
  }

  private readRevisions(stream: string, from: number, backwards: boolean, limit: number): Promise<EventRow[]> {
    const [beyond, order] = backwards ? ['<=', 'desc'] : ['>=', 'asc'];
    const text = `select ${EVENT_COLUMNS} from events where stream = ? and revision ${beyond} ? order by revision ${order} ${LIMIT}`;
    return this.reader.read((sql) => sql.all<EventRow>(text, stream, from, limit));
  }
}
