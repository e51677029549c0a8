import type { RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { LruCache } from '../lru-cache.js';
import { applyEvent, copyRow, emptyRow } from '../projections/apply-event.js';
import type { Throttle } from './throttle.js';

const CACHED_ROWS = 5_000;
/** Number of unsaved rows at which folding waits for a save. */
const MAX_UNSAVED = 5_000;

export interface DocumentEvent {
  readonly id: string;
  readonly event: RecordedEvent;
}

interface ShardTools<D extends object> {
  readonly projection: Projection<D>;
  readonly build: string;
  readonly readModels: ReadModels;
  readonly throttle: Throttle;
  /**
   * Retries calls that an unavailable store has refused.
   * @throws AbortedError
   */
  readonly persist: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * One part of a build's documents: folds ahead while earlier rows are being saved. A row that changes again before its
 * save is saved once.
 */
export class Shard<D extends object> {
  private unsaved = new Map<string, Row<D>>();
  private beingSaved: ReadonlyMap<string, Row<D>> = new Map();
  private readonly cache = new LruCache<string, Row<D>>(CACHED_ROWS);
  private saving: Promise<void> | null = null;
  private step: Promise<void> = Promise.resolve();
  private failure: Error | null = null;
  private folded: Position = START;
  private saved: Position = START;

  constructor(private readonly tools: ShardTools<D>) {}

  /** Events up to this position are saved. */
  get applied(): Position {
    const isIdle = this.saving === null && this.failure === null;
    return isIdle && this.unsaved.size === 0 ? this.folded : this.saved;
  }

  /** @throws PoisonEvent, AbortedError */
  async apply(documentEvents: readonly DocumentEvent[], next: Position): Promise<void> {
    while (this.unsaved.size >= MAX_UNSAVED && this.saving !== null) await this.step;
    const rows = await this.loadRows(documentEvents);
    for (const { id, event } of documentEvents) this.fold(id, event, rows);
    this.folded = next;
    if (this.failure !== null) throw this.failure;
    if (this.unsaved.size > 0) this.saving ??= this.saveAll();
  }

  /**
   * Resolves when all folded rows are saved.
   * @throws the error of a failed save
   */
  async flush(): Promise<void> {
    while (this.saving !== null) await this.saving;
    if (this.failure !== null) throw this.failure;
  }

  private fold(id: string, event: RecordedEvent, rows: ReadonlyMap<string, Row<D>>): void {
    const before = this.findKnown(id) ?? rows.get(id) ?? emptyRow<D>(id);
    const after = applyEvent(this.tools.projection, before, event);
    this.cache.set(id, after);
    if (after === before) return;
    this.unsaved.set(id, after);
    const copy = copyRow(this.tools.projection, after);
    if (copy !== null) this.unsaved.set(copy.id, copy);
  }

  private findKnown(id: string): Row<D> | undefined {
    return this.unsaved.get(id) ?? this.beingSaved.get(id) ?? this.cache.get(id);
  }

  /**
   * Returns the current rows of these events. Rows whose save ends during the load may leave the cache, so known rows
   * are collected first.
   */
  private async loadRows(documentEvents: readonly DocumentEvent[]): Promise<ReadonlyMap<string, Row<D>>> {
    const { persist, readModels, build, projection } = this.tools;
    const known = new Map(documentEvents.map(({ id }) => [id, this.findKnown(id)]));
    const missing = [...known].filter(([, row]) => row === undefined).map(([id]) => id);
    const isKnown = missing.length === 0 || projection.insertOnly === true;
    const loaded = isKnown ? [] : ((await persist(() => readModels.load(build, missing))) as Row<D>[]);
    const rows = [...known.values(), ...loaded].filter((row) => row !== undefined);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async saveAll(): Promise<void> {
    try {
      while (this.unsaved.size > 0) await (this.step = this.saveFolded());
    } catch (error) {
      this.failure = error as Error;
    } finally {
      this.saving = null;
    }
  }

  /**
   * Saves all rows folded so far, in the steps of the throttle. In the order of ids, rows that are next to each other in
   * the store are saved together.
   */
  private async saveFolded(): Promise<void> {
    const { persist, throttle, readModels, build } = this.tools;
    const upTo = this.folded;
    this.beingSaved = this.unsaved;
    this.unsaved = new Map();
    const rows = [...this.beingSaved.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    for (let from = 0, size = throttle.rows; from < rows.length; from += size, size = throttle.rows) {
      const some = rows.slice(from, from + size);
      await throttle.save(() => persist(() => readModels.upsert(build, some)));
    }
    this.beingSaved = new Map();
    this.saved = upTo;
  }
}
