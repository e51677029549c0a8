import type { EventCache } from './event-cache.js';

const MAX_STREAMS = 10_000;
/** Rows without a cached event after which the ends are forgotten: they may never be cached. */
const MAX_GAP = 500;

interface StreamEnd {
  /** No event up to `knownTo` has a later revision. */
  readonly revision: number;
  readonly knownTo: number;
}

/**
 * The ends of the streams that this process has written, or read to their ends. Each cached event of the log is examined
 * once, so an end stays known however many events of other streams follow. An event that is not cached, because it is large
 * or of another process and unread, makes the ends before it unknown.
 */
export class StreamEnds {
  /** Sorted by their last use. */
  private readonly ends = new Map<string, StreamEnd>();
  /** A read that starts now includes all rows up to this one. */
  private head = 0;
  /** The events of all rows up to this one have been examined: no end before it is outdated. */
  private examinedTo = 0;

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
    this.examine(head);
    const end = this.ends.get(stream);
    if (end?.revision !== revision) return false;
    const knownTo = Math.max(end.knownTo, this.examinedTo);
    if (!this.cache.areOfOtherStreams(stream, knownTo + 1, head)) return false;
    this.use(stream, end);
    return true;
  }

  private onHead(row: number): void {
    this.head = Math.max(this.head, row);
  }

  /** Examines the events up to the head, as far as they are cached, and forgets the ends that they outdate. */
  private examine(head: number): void {
    for (; this.examinedTo < head; this.examinedTo++) {
      const event = this.cache.get(this.examinedTo + 1);
      if (event === undefined) break;
      const end = this.ends.get(event.stream);
      if (end !== undefined && end.revision < event.revision) this.ends.delete(event.stream);
    }
    if (head - this.examinedTo <= MAX_GAP) return;
    this.ends.clear();
    this.examinedTo = head;
  }

  /** An event of the stream may have been examined after the row that the caller knows: then the end is unknown. */
  private set(stream: string, end: StreamEnd): void {
    if (this.cache.areOfOtherStreams(stream, end.knownTo + 1, this.examinedTo)) this.use(stream, end);
    else this.ends.delete(stream);
  }

  private use(stream: string, end: StreamEnd): void {
    this.ends.delete(stream);
    if (this.ends.size >= MAX_STREAMS) this.ends.delete(this.ends.keys().next().value!);
    this.ends.set(stream, end);
  }
}
