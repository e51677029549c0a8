import { EventEmitter } from 'node:events';

/** As a client proposes it. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Stored extends Proposed {
  /** Its place among all events, from 0 on. */
  readonly index: number;
  /** The term of the leader that wrote it; 0 on a single node. */
  readonly epoch: number;
  readonly stream: string;
  readonly revision: number;
  readonly commit: number;
  readonly prepare: number;
}

/** The revision of the last event, -1 for a stream that does not exist. */
export type Written = { readonly revision: number; readonly last: Stored | null } | { readonly wrong: number };

/** Events lie that far apart, as bytes do. */
const FIRST_PLACE = 1_000;
const HEADER_BYTES = 90;

/**
 * The log of one node of EventStoreDB, in memory: what is written, at which revisions, and what is a repetition. On a cluster an event is
 * first prepared: it counts for expected revisions, and nobody can read it until it is committed. Until then it can be truncated.
 */
export class DatabaseLog {
  /** What can be read. */
  readonly all: Stored[] = [];
  /** Says `appended` when there is more to read. */
  readonly news = new EventEmitter().setMaxListeners(0);
  /** The term in which this node writes. */
  epoch = 0;
  private readonly prepared: Stored[] = [];
  private readonly streams = new Map<string, Stored[]>();
  private readonly deleted = new Set<string>();
  private end = FIRST_PLACE;

  /** Can be read at once. `expected`: the last revision, -1 for none, null for any. */
  append(stream: string, expected: number | null, proposed: readonly Proposed[]): Written {
    const written = this.prepare(stream, expected, proposed);
    this.commit(this.length);
    return written;
  }

  /** Cannot be read before it is committed. */
  prepare(stream: string, expected: number | null, proposed: readonly Proposed[]): Written {
    const events = this.streams.get(stream) ?? [];
    const last = events.length - 1;
    if (expected === null || expected === last) return this.write(stream, events, proposed);

    const before = events.slice(expected + 1, expected + 1 + proposed.length);
    const isRepeated = expected < last && proposed.every(({ id }, i) => before[i]?.id === id);
    return isRepeated ? { revision: expected + proposed.length, last: before.at(-1) ?? null } : { wrong: last };
  }

  /** Of all events, readable or not. */
  get length(): number {
    return this.all.length + this.prepared.length;
  }

  at(index: number): Stored | undefined {
    return index < this.all.length ? this.all[index] : this.prepared[index - this.all.length];
  }

  /** Takes the next event over from another node. */
  copy(event: Stored): void {
    if (event.index !== this.length || event.commit !== this.end)
      throw new Error(`event ${event.index} does not follow ${this.length - 1}`);
    const events = this.streams.get(event.stream) ?? [];
    this.streams.set(event.stream, events);
    this.keep(events, event);
  }

  /** The first `length` events can be read from now on. */
  commit(length: number): void {
    if (length <= this.all.length) return;
    this.all.push(...this.prepared.splice(0, length - this.all.length));
    this.news.emit('appended');
  }

  /** Drops every event after the first `length`. */
  truncate(length: number): void {
    if (length < this.all.length) throw new Error(`${this.all.length} events are committed, and cannot be truncated to ${length}`);
    for (const event of this.prepared.splice(length - this.all.length).reverse()) {
      this.streams.get(event.stream)!.pop();
      this.end = event.commit;
    }
  }

  /** As statistics and projections do. */
  appendSystemEvent(stream = '$stats-127.0.0.1:2113', type = '$statsCollected'): void {
    this.appendText(stream, type);
  }

  /** As a new leader does first of all. */
  prepareSystemEvent(stream: string, type: string): void {
    this.prepare(stream, null, [proposedText(type)]);
  }

  /** As somebody may who uses the same store: whatever it likes, where it likes. */
  appendText(stream: string, type: string, data = '{}', metadata = '{}'): void {
    this.append(stream, null, [proposedText(type, data, metadata)]);
  }

  tombstone(stream: string): void {
    this.deleted.add(stream);
    this.appendSystemEvent(stream, '$streamDeleted');
  }

  isDeleted(stream: string): boolean {
    return this.deleted.has(stream);
  }

  /** What can be read of it. */
  stream(stream: string): readonly Stored[] {
    const events = this.streams.get(stream) ?? [];
    return this.prepared.length === 0 ? events : events.slice(0, events.findLastIndex(({ index }) => index < this.all.length) + 1);
  }

  /** How many events lie before this place, the one that is there not counted. */
  countBefore(commit: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.all[middle]!.commit < commit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private write(stream: string, events: Stored[], proposed: readonly Proposed[]): Written {
    this.streams.set(stream, events);
    for (const each of proposed) {
      const place = { index: this.length, epoch: this.epoch, revision: events.length, commit: this.end, prepare: this.end };
      this.keep(events, { ...each, stream, ...place });
    }
    return { revision: events.length - 1, last: events.at(-1) ?? null };
  }

  private keep(events: Stored[], event: Stored): void {
    this.end = event.commit + HEADER_BYTES + event.data.length + event.metadata.length;
    events.push(event);
    this.prepared.push(event);
  }
}

function proposedText(type: string, data = '{}', metadata = '{}'): Proposed {
  return { id: crypto.randomUUID(), type, contentType: 'application/json', data: Buffer.from(data), metadata: Buffer.from(metadata) };
}
