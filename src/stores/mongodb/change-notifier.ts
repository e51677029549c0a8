import type { Collection, Db } from 'mongodb';

const POLL_MS = 75;
const ID = 'jobs';
/** A lost notification only delays the jobs until the next poll of their queue, so it needs no majority. */
const UPDATE_OPTIONS = { upsert: true, writeConcern: { w: 1 } } as const;

interface CounterRow {
  readonly _id: string;
  readonly rings: number;
}

/** Notifies listeners of new jobs: at once in this process, and within about 75 ms in others, which poll a counter. */
export class ChangeNotifier {
  private readonly listeners = new Set<() => void>();
  private readonly counters: Collection<CounterRow>;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isPublishing = false;
  private isUnpublished = false;
  /** The number of notifications by other processes at the last poll. */
  private othersCount = -1;
  private ownCount = 0;

  constructor(db: Db) {
    this.counters = db.collection('change_counters');
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    this.timer ??= setInterval(() => void this.poll(), POLL_MS).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stopPolling();
    };
  }

  notify(): void {
    this.isUnpublished = true;
    void this.publish();
    this.notifyListeners();
  }

  close(): void {
    this.stopPolling();
    this.listeners.clear();
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private stopPolling(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Runs one update at a time; notifications during an update share the next one. */
  private async publish(): Promise<void> {
    if (this.isPublishing) return;
    this.isPublishing = true;
    while (this.isUnpublished) {
      this.isUnpublished = false;
      const published = await this.counters
        .updateOne({ _id: { $eq: ID } }, { $inc: { rings: 1 } }, UPDATE_OPTIONS)
        .catch(() => null);
      if (published !== null) this.ownCount++;
    }
    this.isPublishing = false;
  }

  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    // After a failed read, the next poll sees the same changes.
    const others = await this.countOthers().catch(() => this.othersCount);
    this.isPolling = false;
    const hasChanged = others !== this.othersCount;
    this.othersCount = others;
    if (hasChanged) this.notifyListeners();
  }

  private async countOthers(): Promise<number> {
    const counter = await this.counters.findOne({ _id: { $eq: ID } });
    return (counter?.rings ?? 0) - this.ownCount;
  }
}
