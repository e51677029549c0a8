import type { Collection, Db } from 'mongodb';

const POLL_MS = 75;
const ID = 'jobs';
/** A lost notification only delays the jobs until the next poll of their queue, so it needs no majority. */
const UPDATE_OPTIONS = { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } } as const;

interface CounterRow {
  readonly _id: string;
  readonly rings: number;
}

/** Receives the queues with new jobs, if they are known. */
type Listener = (queues?: readonly string[]) => void;

/**
 * Notifies listeners of new jobs: at once in this process, and within about 75 ms in others, which poll a counter and
 * do not learn the queues.
 */
export class ChangeNotifier {
  private readonly listeners = new Set<Listener>();
  private readonly counters: Collection<CounterRow>;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isPublishing = false;
  private isUnpublished = false;
  /** The number of notifications by other processes that this process has seen. */
  private othersCount = -1;
  private ownCount = 0;

  constructor(db: Db) {
    this.counters = db.collection('change_counters');
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    this.timer ??= setInterval(() => void this.poll(), POLL_MS).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stopPolling();
    };
  }

  notify(queues?: readonly string[]): void {
    this.isUnpublished = true;
    void this.publish();
    this.notifyListeners(queues);
  }

  close(): void {
    this.stopPolling();
    this.listeners.clear();
  }

  private notifyListeners(queues?: readonly string[]): void {
    for (const listener of [...this.listeners]) listener(queues);
  }

  private stopPolling(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Runs one update at a time; notifications during an update share the next one. Its response replaces a poll. */
  private async publish(): Promise<void> {
    if (this.isPublishing) return;
    this.isPublishing = true;
    while (this.isUnpublished) {
      this.isUnpublished = false;
      const counter = await this.counters
        .findOneAndUpdate({ _id: { $eq: ID } }, { $inc: { rings: 1 } }, UPDATE_OPTIONS)
        .catch(() => null);
      if (counter !== null) this.compare(counter.rings - ++this.ownCount);
    }
    this.isPublishing = false;
  }

  private async poll(): Promise<void> {
    if (this.isPolling || this.isPublishing) return;
    this.isPolling = true;
    const before = this.ownCount;
    // After a failed read, the next poll sees the same changes.
    const counter = await this.counters.findOne({ _id: { $eq: ID } }).catch(() => undefined);
    this.isPolling = false;
    // The counter may include an update of this process that began in the meantime.
    const isComparable = counter !== undefined && !this.isPublishing && this.ownCount === before;
    if (isComparable) this.compare((counter?.rings ?? 0) - this.ownCount);
  }

  private compare(othersCount: number): void {
    if (othersCount === this.othersCount) return;
    this.othersCount = othersCount;
    this.notifyListeners();
  }
}
