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

/** The log of an EventStoreDB in memory: what is written, at which revisions, and what is a repetition. */
export class DatabaseLog {
  readonly all: Stored[] = [];
  /** Says `appended` after each append. */
  readonly news = new EventEmitter().setMaxListeners(0);
  private readonly streams = new Map<string, Stored[]>();
  private readonly deleted = new Set<string>();
  private end = FIRST_PLACE;

  /** `expected`: the last revision, -1 for none, null for any. */
  append(stream: string, expected: number | null, proposed: readonly Proposed[]): Written {
    const events = this.streams.get(stream) ?? [];
    const last = events.length - 1;
    if (expected === null || expected === last) return this.write(stream, events, proposed);

    const before = events.slice(expected + 1, expected + 1 + proposed.length);
    const isRepeated = expected < last && proposed.every(({ id }, i) => before[i]?.id === id);
    return isRepeated ? { revision: expected + proposed.length, last: before.at(-1) ?? null } : { wrong: last };
  }

  /** As statistics and projections do. */
  appendSystemEvent(stream = '$stats-127.0.0.1:2113', type = '$statsCollected'): void {
    this.appendText(stream, type);
  }

  /** As somebody may who uses the same store: whatever it likes, where it likes. */
  appendText(stream: string, type: string, data = '{}', metadata = '{}'): void {
    const [bytes, metadataBytes] = [Buffer.from(data), Buffer.from(metadata)];
    this.append(stream, null, [{ id: crypto.randomUUID(), type, contentType: 'application/json', data: bytes, metadata: metadataBytes }]);
  }

  tombstone(stream: string): void {
    this.deleted.add(stream);
    this.appendSystemEvent(stream, '$streamDeleted');
  }

  isDeleted(stream: string): boolean {
    return this.deleted.has(stream);
  }

  stream(stream: string): readonly Stored[] {
    return this.streams.get(stream) ?? [];
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
    for (const each of proposed) {
      const stored = { ...each, stream, revision: events.length, commit: this.end, prepare: this.end };
      this.end += HEADER_BYTES + each.data.length + each.metadata.length;
      events.push(stored);
      this.all.push(stored);
    }
    this.streams.set(stream, events);
    this.news.emit('appended');
    return { revision: events.length - 1, last: events.at(-1) ?? null };
  }
}
