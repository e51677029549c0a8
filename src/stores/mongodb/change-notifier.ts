import type { Collection, Db } from 'mongodb';
import { reportAndIgnore, reportAndReturn } from '../../kernel/background-errors.js';
import { translateOutages } from './failures.js';
import {
  ALL_QUEUES,
  type CounterRow,
  NotificationCounts,
  toCountedQueue,
  toIncrements,
} from './notification-counts.js';

const POLL_MS = 75;
const WORK = { kind: 'loop', name: 'change notifications' } as const;
const ID = 'jobs';
/** A lost notification only delays the jobs until the next poll of their queue, so it needs no majority. */
const UPDATE_OPTIONS = { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } } as const;

/** Receives the queues with new jobs, if they are known. */
type Listener = (queues?: readonly string[]) => void;

/** Notifies listeners of new jobs: at once in this process, and within about 75 ms in others, which poll counters. */
export class ChangeNotifier {
  private readonly listeners = new Set<Listener>();
  private readonly counters: Collection<CounterRow>;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isPublishing = false;
  private readonly unpublished = new Set<string>();
  /** The number of published updates. */
  private updates = 0;
  private readonly counts = new NotificationCounts();

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
    for (const queue of queues ?? [ALL_QUEUES]) this.unpublished.add(toCountedQueue(queue));
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
    while (this.unpublished.size > 0) {
      const queues = [...this.unpublished];
      this.unpublished.clear();
      const update = [{ _id: { $eq: ID } }, { $inc: toIncrements(queues) }, UPDATE_OPTIONS] as const;
      const counter = await translateOutages(() => this.counters.findOneAndUpdate(...update)).catch(
        reportAndReturn(WORK, null),
      );
      this.updates++;
      if (counter === null) continue;
      this.counts.addOwn(queues);
      this.notifyOfChanges(counter);
    }
    this.isPublishing = false;
  }

  private async poll(): Promise<void> {
    if (this.isPolling || this.isPublishing) return;
    this.isPolling = true;
    const before = this.updates;
    // After a failed read, the next poll sees the same changes.
    const counter = await translateOutages(() => this.counters.findOne({ _id: { $eq: ID } })).catch(
      reportAndIgnore(WORK),
    );
    this.isPolling = false;
    // The counters may include an update of this process that began in the meantime.
    if (counter !== undefined && !this.isPublishing && this.updates === before) this.notifyOfChanges(counter);
  }

  private notifyOfChanges(counter: CounterRow | null): void {
    const queues = this.counts.findChanges(counter);
    if (queues === undefined || queues.length > 0) this.notifyListeners(queues);
  }
}
