import { EventEmitter } from 'node:events';

/** An event as a client proposes it. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  /** The index in the log of all events, from 0. */
  readonly index: number;
  /** The term of the leader that wrote the event; 0 on a single node. */
  readonly epoch: number;
  readonly stream: string;
  readonly revision: number;
  readonly commit: number;
  readonly prepare: number;
}

/** The revision of the last event, -1 for a stream that does not exist. */
export type AppendOutcome =
  { readonly revision: number; readonly last: StoredEvent | null } | { readonly wrong: number };

/** The commit positions of two events differ by at least the size of the header, as byte offsets do. */
const FIRST_POSITION = 1_000;
const HEADER_BYTES = 90;

/**
 * The log of one EventStoreDB node, in memory, with checks of expected revisions and idempotent appends. On a cluster
 * an event is first prepared: it counts for expected revisions, but clients cannot read it until it is committed. A
 * prepared event can be truncated.
 */
export class DatabaseLog {
  /** The committed events. */
  readonly all: StoredEvent[] = [];
  /** Emits `appended` after each commit. */
  readonly notifier = new EventEmitter().setMaxListeners(0);
  /** The term in which this node writes. */
  epoch = 0;
  private readonly prepared: StoredEvent[] = [];
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly deleted = new Set<string>();
  private end = FIRST_POSITION;

  /** Appends and commits events. `expected`: the last revision, -1 for no stream, null for any. */
  append(stream: string, expected: number | null, proposed: readonly ProposedEvent[]): AppendOutcome {
    const written = this.prepare(stream, expected, proposed);
    this.commit(this.length);
    return written;
  }

  /** Appends events that are readable only after `commit`. */
  prepare(stream: string, expected: number | null, proposed: readonly ProposedEvent[]): AppendOutcome {
    const events = this.streams.get(stream) ?? [];
    const last = events.length - 1;
    if (expected === null || expected === last) return this.write(stream, events, proposed);

    const before = events.slice(expected + 1, expected + 1 + proposed.length);
    const isRepeated = expected < last && proposed.every(({ id }, i) => before[i]?.id === id);
    return isRepeated ? { revision: expected + proposed.length, last: before.at(-1) ?? null } : { wrong: last };
  }

  /** The number of all events, committed or prepared. */
  get length(): number {
    return this.all.length + this.prepared.length;
  }

  findEvent(index: number): StoredEvent | undefined {
    return index < this.all.length ? this.all[index] : this.prepared[index - this.all.length];
  }

  /** Appends the next event of another node's log. */
  appendReplicated(event: StoredEvent): void {
    if (event.index !== this.length || event.commit !== this.end)
      throw new Error(`event ${event.index} does not follow ${this.length - 1}`);
    const events = this.streams.get(event.stream) ?? [];
    this.streams.set(event.stream, events);
    this.store(events, event);
  }

  /** Commits the first `length` events. */
  commit(length: number): void {
    if (length <= this.all.length) return;
    this.all.push(...this.prepared.splice(0, length - this.all.length));
    this.notifier.emit('appended');
  }

  /** Removes every event after the first `length`. */
  truncate(length: number): void {
    if (length < this.all.length)
      throw new Error(`${this.all.length} events are committed and cannot be truncated to ${length}`);
    for (const event of this.prepared.splice(length - this.all.length).reverse()) {
      this.streams.get(event.stream)!.pop();
      this.end = event.commit;
    }
  }

  /** Appends an event as the database's statistics and projections do. */
  appendSystemEvent(stream = '$stats-127.0.0.1:2113', type = '$statsCollected'): void {
    this.appendText(stream, type);
  }

  /** Prepares the first event of a new leader. */
  prepareSystemEvent(stream: string, type: string): void {
    this.prepare(stream, null, [createProposedEvent(type)]);
  }

  /** Appends any event to any stream, as another client of the same database may. */
  appendText(stream: string, type: string, data = '{}', metadata = '{}'): void {
    this.append(stream, null, [createProposedEvent(type, data, metadata)]);
  }

  tombstone(stream: string): void {
    this.deleted.add(stream);
    this.appendSystemEvent(stream, '$streamDeleted');
  }

  isDeleted(stream: string): boolean {
    return this.deleted.has(stream);
  }

  /** Returns the committed events of a stream. */
  readStream(stream: string): readonly StoredEvent[] {
    const events = this.streams.get(stream) ?? [];
    return this.prepared.length === 0
      ? events
      : events.slice(0, events.findLastIndex(({ index }) => index < this.all.length) + 1);
  }

  /** Returns the number of events before this commit position. */
  countBefore(commit: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.all[middle]!.commit < commit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private write(stream: string, events: StoredEvent[], proposed: readonly ProposedEvent[]): AppendOutcome {
    this.streams.set(stream, events);
    for (const each of proposed) {
      const position = {
        index: this.length,
        epoch: this.epoch,
        revision: events.length,
        commit: this.end,
        prepare: this.end,
      };
      this.store(events, { ...each, stream, ...position });
    }
    return { revision: events.length - 1, last: events.at(-1) ?? null };
  }

  private store(events: StoredEvent[], event: StoredEvent): void {
    this.end = event.commit + HEADER_BYTES + event.data.length + event.metadata.length;
    events.push(event);
    this.prepared.push(event);
  }
}

function createProposedEvent(type: string, data = '{}', metadata = '{}'): ProposedEvent {
  return {
    id: crypto.randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from(data),
    metadata: Buffer.from(metadata),
  };
}
