import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.js';
import type { NewEvent, Recorded } from '../../kernel/event.js';
import {
  Conflict,
  EventStore,
  type Appended,
  type Expected,
  type FollowOptions,
  type Page,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { CommitQueue } from './commit-queue.js';
import type { Doorbell } from './doorbell.js';
import { Lately } from './lately.js';
import { decoded, EVENT_COLUMNS, headOf, pageOf, type EventRow } from './log.js';
import { positionOf } from './positions.js';
import type { Reader } from './reader.js';
import type { Reading } from './reading/reading.js';

const PAGE = 500;
/** The page size of a stream, so that other work on the thread runs every few milliseconds. */
const STREAM_PAGE = 100;

export class EmbeddedEventStore extends EventStore {
  private readonly lately = new Lately();

  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly reading: Reading,
    private readonly bell: Doorbell,
    private readonly clock: Clock,
  ) {
    super();
  }

  async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    if (events.length === 0) throw new Error(`${stream}: an append needs at least one event`);
    const rows = events.map(({ id, type, data, meta }) => ({ id, type, data: JSON.stringify(data), meta: JSON.stringify(meta) }));
    const outcome = await this.queue.run('append', stream, expected, rows);
    if ('conflict' in outcome) throw new Conflict(stream, expected, outcome.conflict);
    const { revision, position, positions = [position] } = outcome;
    for (const [i, event] of events.entries()) {
      const at = { stream, revision: revision - events.length + 1 + i, position: positions[i]! };
      this.lately.keep({ ...event, ...at }, rows[i]!.data.length);
    }
    this.bell.ring();
    return outcome;
  }

  async *readStream(stream: string, { from, backwards = false, limit = Infinity }: ReadStreamOptions = {}): AsyncIterable<Recorded> {
    let next = from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
    for (let left = limit; left > 0;) {
      const size = Math.min(left, STREAM_PAGE);
      const rows = await this.revisions(stream, next, backwards, size);
      for (const row of rows) yield this.lately.of(row);
      if (rows.length < size) return;
      // Other work on the thread runs between the pages of a long stream.
      await nextTurn();
      next = rows.at(-1)!.revision + (backwards ? -1 : 1);
      left -= rows.length;
    }
  }

  /** A filtered read runs in another thread, because it may skip thousands of events. */
  async readAll(options: ReadAllOptions): Promise<Page> {
    if (options.filter === undefined) return this.reader.read((sql) => pageOf(sql, options, this.lately));
    return decoded(await this.reading.walks.run('log', options), this.lately);
  }

  async *follow({ after, filter, max = PAGE, lingerMs = 0 }: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    const pageBehind = (position: Position) => this.readAll({ after: position, limit: max, ...(filter && { filter }) });
    for (let next = after; !signal.aborted && this.reader.isOpen;) {
      const rings = this.bell.rings;
      let page = await pageBehind(next);
      if (page.next === next) {
        await this.bell.beyond(rings, signal);
        continue;
      }
      if (lingerMs > 0 && page.caughtUp && page.events.length < max) {
        await this.clock.sleep(lingerMs, signal);
        if (signal.aborted || !this.reader.isOpen) return;
        page = await pageBehind(next);
      }
      next = page.next;
      yield page;
    }
  }

  async head(): Promise<Position> {
    const head = await this.reader.read(headOf);
    return head === 0 ? '' : positionOf(head);
  }

  /** The file has a single order, so reading its head confirms the position. */
  confirmed(): Promise<Position> {
    return this.head();
  }

  private revisions(stream: string, from: number, backwards: boolean, limit: number): Promise<EventRow[]> {
    const [beyond, order] = backwards ? ['<=', 'desc'] : ['>=', 'asc'];
    const text = `select ${EVENT_COLUMNS} from events where stream = ? and revision ${beyond} ? order by revision ${order} limit ?`;
    return this.reader.read((sql) => sql.all<EventRow>(text, stream, from, limit));
  }
}
