import type { Recorded } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { Stopped } from '../patience.js';
import type { DeadLetters } from '../projecting/dead-letters.js';
import { foldedInto, noRow, Poison, touchedBy } from '../projecting/folding.js';
import { canonical } from './canonical.js';
import { isWithin, type Range } from './ranges.js';

const PAGE_EVENTS = 1_000;

export interface Difference {
  /** Id of the document; the stream, when the document could not be determined; or the values of a group. */
  readonly id: string;
  readonly what:
    'differs' | 'is missing' | 'should not be there' | 'is behind' | 'is ahead' | 'is blocked' | 'cannot be folded' | 'is counted wrong';
  /** Id of the dead letter that blocks the document. */
  readonly letter?: string;
}

/** Compares the stored rows of some ranges with the rows folded from the log. */
export class Comparison<D extends object> {
  private readonly kept: ReadonlyMap<string, Row>;
  private readonly told = new Map<string, Row<D>>();
  private readonly unfoldable = new Set<string>();
  private readonly end: Position;

  /** @param letters dead letters, whose events are excluded from the comparison */
  constructor(
    private readonly projection: Projection<D>,
    private readonly ranges: readonly Range[],
    private readonly reached: Position,
    private readonly letters: Pick<DeadLetters, 'blocks'>,
  ) {
    const rows = ranges.flatMap((range) => range.rows);
    this.kept = new Map(rows.map((row) => [row.id, row]));
    this.end = rows.map((row) => row.position).reduce(later, reached);
  }

  async fold(store: EventStore, signal: AbortSignal): Promise<void> {
    for (let after = START; after < this.end;) {
      if (signal.aborted) throw new Stopped();
      const { events, next, caughtUp } = await store.readAll({ after, limit: PAGE_EVENTS });
      for (const event of events) this.foldIn(event);
      after = caughtUp ? this.end : next;
    }
  }

  /**
   * Returns the differences. A row that is not in the ranges may have been deleted or changed since they were read, so
   * it is loaded again.
   */
  async differences(build: string, readModels: ReadModels): Promise<Difference[]> {
    const unlisted = [...this.told.values()].filter(({ id, document }) => document !== null && !this.kept.has(id));
    const ids = unlisted.map(({ id }) => id);
    const since = new Map((await readModels.load(build, ids)).map(({ id, position }) => [id, position]));
    const missing = unlisted.filter(({ id, position }) => (since.get(id) ?? START) <= position);
    const found = [
      ...[...this.kept.values()].flatMap((row) => this.differenceOf(row, this.told.get(row.id) ?? noRow<D>(row.id))),
      ...missing.map(({ id }): Difference => ({ id, what: 'is missing' })),
    ];
    const unfoldable = [...this.unfoldable].map((id): Difference => ({ id, what: 'cannot be folded' }));
    return [...found.filter(({ id }) => !this.unfoldable.has(id)), ...unfoldable];
  }

  private foldIn(event: Recorded): void {
    if (this.letters.blocks(null, event)) return;
    const ids = foldable(() => touchedBy(this.projection, event));
    if (ids === null && event.position <= this.reached) this.unfoldable.add(event.stream);
    for (const id of ids ?? []) if (this.isWanted(id, event)) this.foldInto(id, event);
  }

  private foldInto(id: string, event: Recorded): void {
    const row = foldable(() => foldedInto(this.projection, this.told.get(id) ?? noRow<D>(id), event));
    if (row === null) this.unfoldable.add(id);
    else this.told.set(id, row);
  }

  /** After the build's checkpoint a document may contain an event or not. */
  private isWanted(id: string, event: Recorded): boolean {
    const end = later(this.kept.get(id)?.position ?? START, this.reached);
    const isOpen = !this.unfoldable.has(id) && !this.letters.blocks(id, event);
    return isOpen && event.position <= end && isWithin(this.ranges, id);
  }

  private differenceOf(kept: Row, told: Row): Difference[] {
    const { id } = kept;
    if (kept.document !== null && told.document === null) return [{ id, what: 'should not be there' }];
    if (kept.document === null && told.document !== null) return [{ id, what: 'is missing' }];
    if (kept.position < told.position) return [{ id, what: 'is behind' }];
    if (isAhead(kept, told, this.reached)) return [{ id, what: 'is ahead' }];
    return canonical(kept.document) === canonical(told.document) ? [] : [{ id, what: 'differs' }];
  }
}

/**
 * Returns whether the row would miss later events. Up to the checkpoint of its build, a row may be ahead of its last
 * event (an event that was skipped since).
 */
export function isAhead(kept: Row, told: Row, reached: Position): boolean {
  return kept.position > told.position && kept.position > reached;
}

function foldable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Poison) return null;
    throw error;
  }
}
