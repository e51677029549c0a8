import type { EventCache } from './event-cache.js';

const MAX_STREAMS = 10_000;
/** Reading the stream is faster than searching more events. */
const MAX_SEARCHED = 500;

interface StreamEnd {
  /** No event up to `knownTo` has a later revision. */
  readonly revision: number;
  readonly knownTo: number;
}

/** The ends of the streams that this process has written, or read to their ends. */
export class StreamEnds {
  private readonly ends = new Map<string, StreamEnd>();
  /** A read that starts now includes all rows up to this one. */
  private head = 0;

  constructor(private readonly cache: EventCache) {}

  get knownHead(): number {
    return this.head;
  }

  /** @param row the row of the stream's last event */
  onAppended(stream: string, revision: number, row: number): void {
    this.onHead(row);
    this.set(stream, { revision, knownTo: row });
  }

  /** @param head the known head before the read */
  onReadToEnd(stream: string, revision: number, head: number): void {
    this.set(stream, { revision, knownTo: head });
  }

  /** Returns whether no event up to the head has a later revision; false when that is unknown. */
  isLast(stream: string, revision: number, head: number): boolean {
    this.onHead(head);
    const end = this.ends.get(stream);
    if (end?.revision !== revision || head - end.knownTo > MAX_SEARCHED) return false;
    if (!this.cache.areOfOtherStreams(stream, end.knownTo + 1, head)) return false;
    if (head > end.knownTo) this.set(stream, { revision, knownTo: head });
    return true;
  }

  private onHead(row: number): void {
    this.head = Math.max(this.head, row);
  }

  private set(stream: string, end: StreamEnd): void {
    if (this.ends.size >= MAX_STREAMS) this.ends.clear();
    this.ends.set(stream, end);
  }
}
