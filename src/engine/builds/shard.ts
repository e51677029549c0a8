import type { Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { foldedInto, noRow } from '../projecting/folding.js';
import { Recent } from '../recent.js';
import type { Pace } from './pace.js';

const REMEMBERED_ROWS = 2_500;
/** Number of unsaved rows at which folding waits for a save. */
const MAX_UNSAVED = 2_000;

/** An event with one of its documents. */
export interface Touch {
  readonly id: string;
  readonly event: Recorded;
}

interface ShardTools<D extends object> {
  readonly projection: Projection<D>;
  readonly build: string;
  readonly readModels: ReadModels;
  readonly pace: Pace;
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
  private underway: ReadonlyMap<string, Row<D>> = new Map();
  private readonly recent = new Recent<string, Row<D>>(REMEMBERED_ROWS);
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
  async take(touches: readonly Touch[], next: Position): Promise<void> {
    while (this.unsaved.size >= MAX_UNSAVED && this.saving !== null) await this.step;
    const rows = await this.rowsOf(touches);
    for (const { id, event } of touches) this.fold(id, event, rows);
    this.folded = next;
    if (this.failure !== null) throw this.failure;
    if (this.unsaved.size > 0) this.saving ??= this.saveAll();
  }

  /**
   * Resolves when all folded rows are saved.
   * @throws the error of a failed save
   */
  async settle(): Promise<void> {
    while (this.saving !== null) await this.saving;
    if (this.failure !== null) throw this.failure;
  }

  private fold(id: string, event: Recorded, rows: ReadonlyMap<string, Row<D>>): void {
    const before = this.known(id) ?? rows.get(id) ?? noRow<D>(id);
    const after = foldedInto(this.tools.projection, before, event);
    this.recent.set(id, after);
    if (after !== before) this.unsaved.set(id, after);
  }

  private known(id: string): Row<D> | undefined {
    return this.unsaved.get(id) ?? this.underway.get(id) ?? this.recent.get(id);
  }

  /**
   * Returns the current rows of these events. Rows whose save ends during the load may leave the cache, so known rows
   * are collected first.
   */
  private async rowsOf(touches: readonly Touch[]): Promise<ReadonlyMap<string, Row<D>>> {
    const { persist, readModels, build } = this.tools;
    const known = new Map(touches.map(({ id }) => [id, this.known(id)]));
    const missing = [...known].filter(([, row]) => row === undefined).map(([id]) => id);
    const loaded = missing.length === 0 ? [] : ((await persist(() => readModels.load(build, missing))) as Row<D>[]);
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

  /** Saves all rows folded so far, in the steps of the throttle. */
  private async saveFolded(): Promise<void> {
    const { persist, pace, readModels, build } = this.tools;
    const upTo = this.folded;
    this.underway = this.unsaved;
    this.unsaved = new Map();
    const rows = [...this.underway.values()];
    for (let from = 0, size = pace.rows; from < rows.length; from += size, size = pace.rows) {
      const some = rows.slice(from, from + size);
      await pace.save(() => persist(() => readModels.save(build, some)));
    }
    this.underway = new Map();
    this.saved = upTo;
  }
}
