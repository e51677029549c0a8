import type { Reader } from './reader.js';
import type { Statements } from './sqlite.js';

const POLL_MS = 20;

/** What the rows after this one are about. */
type About = (sql: Statements, after: number) => readonly string[];

/**
 * Rings when rows have been added to a table: at once for this process, and within some 20 ms for any other, whose commits show in
 * the data version of the file.
 */
export class Doorbell {
  /** How often it has rung. */
  rings = 0;
  private readonly listeners = new Set<(what?: readonly string[]) => void>();
  private poll: NodeJS.Timeout | undefined;
  private version = -1;
  private last = -1;

  constructor(
    private readonly reader: Reader,
    private readonly table: 'events' | 'jobs',
    private readonly about?: About,
  ) {}

  /** The returned function ends it. */
  listen(listener: (what?: readonly string[]) => void): () => void {
    this.listeners.add(listener);
    this.poll ??= setInterval(() => void this.look(), POLL_MS).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.rest();
    };
  }

  /** Resolves once it has rung more often than that, or the signal aborts. */
  async beyond(rings: number, signal: AbortSignal): Promise<void> {
    if (this.rings !== rings || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = this.listen(() => resolve());
    const aborted = () => resolve();
    signal.addEventListener('abort', aborted, { once: true });
    await promise;
    signal.removeEventListener('abort', aborted);
    end();
  }

  /** @param what of the rows that have been added, where it is known */
  ring(what?: readonly string[]): void {
    this.rings++;
    for (const listener of [...this.listeners]) listener(what);
  }

  close(): void {
    this.rest();
    this.listeners.clear();
  }

  private rest(): void {
    clearInterval(this.poll);
    this.poll = undefined;
  }

  private async look(): Promise<void> {
    if (!this.reader.isOpen) return this.close();
    // What cannot be read now is looked at again by the next one.
    const added = await this.reader.read((sql) => this.added(sql)).catch(() => null);
    if (added !== null) this.ring(added.what);
  }

  /** Null when no rows have been added since the last look. The first look does not know what was there before it. */
  private added(sql: Statements): { readonly what?: readonly string[] } | null {
    const { data_version: version } = sql.get<{ data_version: number }>('pragma data_version')!;
    if (version === this.version) return null;

    const before = this.last;
    const last = sql.get<{ seq: number }>('select seq from sqlite_sequence where name = ?', this.table)?.seq ?? 0;
    const what = before < 0 || last === before ? undefined : this.about?.(sql, before);
    // Last: a look that found the file busy is no look.
    [this.version, this.last] = [version, last];
    if (last === before) return null;
    return what === undefined ? {} : { what };
  }
}
