import type { Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { foldedInto, noRow } from '../projecting/folding.js';
import { Recent } from '../recent.js';
import type { Pace } from './pace.js';

const REMEMBERED_ROWS = 2_500;
/** Changed rows that wait for their save before no more is folded. */
const MAX_UNSAVED = 2_000;

/** An event, for one of the documents that it touches. */
export interface Touch {
  readonly id: string;
  readonly event: Recorded;
}

interface ShardTools<D extends object> {
  readonly projection: Projection<D>;
  readonly build: string;
  readonly readModels: ReadModels;
  readonly pace: Pace;
  /** Repeats what a store that is away refused. @throws Stopped */
  readonly persist: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A part of a build's documents: folds ahead while what was folded before is saved. A row that changes meanwhile is saved once. */
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

  /** All up to here is saved. */
  get applied(): Position {
    const isIdle = this.saving === null && this.failure === null;
    return isIdle && this.unsaved.size === 0 ? this.folded : this.saved;
  }

  /** @throws Poison, Stopped */
  async take(touches: readonly Touch[], next: Position): Promise<void> {
    while (this.unsaved.size >= MAX_UNSAVED && this.saving !== null) await this.step;
    const rows = await this.rowsOf(touches);
    for (const { id, event } of touches) this.fold(id, event, rows);
    this.folded = next;
    if (this.failure !== null) throw this.failure;
    if (this.unsaved.size > 0) this.saving ??= this.saveAll();
  }

  /** Resolves when all that was folded is saved. @throws what a save failed with */
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

  /** The rows that these touch, as they are now: what is saved while the others are loaded may be forgotten by then. */
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

  /** All that is folded now, in the steps of the pace. */
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
