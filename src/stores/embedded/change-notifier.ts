import { reportAndReturn } from '../../kernel/background-errors.js';
import type { Poller } from './poller.js';
import type { Reader } from './reader.js';
import type { Statements } from './sqlite.js';

const WORK = { kind: 'loop', name: 'change notifications' } as const;

/** Reads the topics of the rows after this one. */
type ReadTopics = (sql: Statements, after: number) => readonly string[];

/**
 * Notifies listeners when rows have been added to a table: at once for this process, and within about 20 ms for other
 * processes, or 60 ms after two seconds without added rows, and 250 ms after half a minute. The commits of other
 * processes change the data version of the file.
 */
export class ChangeNotifier {
  /** The number of notifications so far. */
  notifications = 0;
  private readonly listeners = new Set<(what?: readonly string[]) => void>();
  private readonly onPoll = () => void this.poll();
  private version = -1;
  private lastRow = -1;

  constructor(
    private readonly reader: Reader,
    private readonly poller: Poller,
    private readonly table: 'events' | 'jobs',
    private readonly readTopics?: ReadTopics,
  ) {}

  /** Adds a listener; the returned function removes it. */
  listen(listener: (what?: readonly string[]) => void): () => void {
    this.listeners.add(listener);
    this.poller.add(this.onPoll);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.poller.remove(this.onPoll);
    };
  }

  /** Resolves when the number of notifications differs from `rings`, or the signal aborts. */
  async waitForChange(notifications: number, signal: AbortSignal): Promise<void> {
    if (this.notifications !== notifications || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = this.listen(() => resolve());
    const aborted = () => resolve();
    signal.addEventListener('abort', aborted, { once: true });
    await promise;
    signal.removeEventListener('abort', aborted);
    end();
  }

  /** Notifies all listeners with the topics of the added rows, if they are known. */
  notify(topics?: readonly string[]): void {
    this.notifications++;
    for (const listener of [...this.listeners]) listener(topics);
  }

  close(): void {
    this.poller.remove(this.onPoll);
    this.listeners.clear();
  }

  private async poll(): Promise<void> {
    if (!this.reader.isOpen) return this.close();
    // After a failed read, the next poll sees the same rows.
    const added = await this.reader.read((sql) => this.findAdded(sql)).catch(reportAndReturn(WORK, null));
    if (added !== null) this.notify(added.what);
  }

  /** Returns null when no rows have been added since the last poll. The first poll reports no topics. */
  private findAdded(sql: Statements): { readonly what?: readonly string[] } | null {
    const { data_version: version } = sql.get<{ data_version: number }>('pragma data_version')!;
    if (version === this.version) return null;

    const before = this.lastRow;
    const last = sql.get<{ seq: number }>('select seq from sqlite_sequence where name = ?', this.table)?.seq ?? 0;
    const what = before < 0 || last === before ? undefined : this.readTopics?.(sql, before);
    // Updated last, so that a poll that fails because the file is busy changes nothing.
    [this.version, this.lastRow] = [version, last];
    if (last === before) return null;
    this.poller.recordChange();
    return what === undefined ? {} : { what };
  }
}
