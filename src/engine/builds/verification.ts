import type { EventStore } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { Stopped } from '../patience.js';
import { Skips, skipping } from '../projecting/skips.js';
import { canonical } from './canonical.js';
import { foldedInto, noRow, touchedBy } from './folding.js';
import { isWithin, rangesOf, type Range } from './ranges.js';

const PAGE_EVENTS = 1_000;

export interface Difference {
  readonly id: string;
  readonly what: 'differs' | 'is missing' | 'should not be there' | 'is behind';
}

export interface Verification {
  readonly build: string;
  /** Documents that were compared. */
  readonly documents: number;
  /** All up to here was in the build when it began. */
  readonly position: Position;
  readonly differences: readonly Difference[];
}

export interface VerificationTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
}

export interface VerificationOptions {
  readonly sample?: number | undefined;
  readonly signal: AbortSignal;
}

/** Folds documents from the log and compares them with those of the build: each as far as it has come by itself. @throws Poison, Stopped */
export async function verified<D extends object>(
  projection: Projection<D>,
  build: string,
  tools: VerificationTools,
  { sample, signal }: VerificationOptions,
): Promise<Verification> {
  const { store, readModels } = tools;
  const skips = new Skips(store, projection.name);
  await skips.load();
  const position = await readModels.checkpoint(build);
  const differences: Difference[] = [];
  let documents = 0;
  for await (const ranges of rangesOf(build, readModels, sample)) {
    const found = new Comparison(skipping(projection, skips), ranges, position);
    await found.fold(store, signal);
    differences.push(...(await found.differences(build, readModels)));
    documents += ranges.reduce((sum, { ids }) => sum + ids.length, 0);
  }
  return { build, documents, position, differences };
}

/** Documents of some ranges, as they are kept and as the log tells them. */
class Comparison<D extends object> {
  private readonly kept: ReadonlyMap<string, Row>;
  private readonly told = new Map<string, Row<D>>();
  private readonly end: Position;

  constructor(
    private readonly projection: Projection<D>,
    private readonly ranges: readonly Range[],
    private readonly reached: Position,
  ) {
    const rows = ranges.flatMap((range) => range.rows);
    this.kept = new Map(rows.map((row) => [row.id, row]));
    this.end = rows.map((row) => row.position).reduce(later, reached);
  }

  async fold(store: EventStore, signal: AbortSignal): Promise<void> {
    for (let after = START; after < this.end;) {
      if (signal.aborted) throw new Stopped();
      const { events, next, caughtUp } = await store.readAll({ after, limit: PAGE_EVENTS });
      for (const event of events) {
        for (const id of touchedBy(this.projection, event)) {
          if (event.position > this.endOf(id) || !isWithin(this.ranges, id)) continue;
          this.told.set(id, foldedInto(this.projection, this.told.get(id) ?? noRow<D>(id), event));
        }
      }
      after = caughtUp ? this.end : next;
    }
  }

  /** What is not kept now may have ended, or moved on, since it was looked for. */
  async differences(build: string, readModels: ReadModels): Promise<Difference[]> {
    const unlisted = [...this.told.values()].filter(({ id, document }) => document !== null && !this.kept.has(id));
    const since = new Map(
      (
        await readModels.load(
          build,
          unlisted.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    const missing = unlisted.filter(({ id, position }) => (since.get(id)?.position ?? START) <= position);
    return [
      ...[...this.kept.values()].flatMap((row) => differenceOf(row, this.told.get(row.id) ?? noRow<D>(row.id))),
      ...missing.map(({ id }): Difference => ({ id, what: 'is missing' })),
    ];
  }

  /** Beyond the checkpoint a document may be ahead, or not. */
  private endOf(id: string): Position {
    return later(this.kept.get(id)?.position ?? START, this.reached);
  }
}

function differenceOf(kept: Row, told: Row): Difference[] {
  if (kept.document !== null && told.document === null) return [{ id: kept.id, what: 'should not be there' }];
  if (kept.position < told.position) return [{ id: kept.id, what: 'is behind' }];
  return canonical(kept.document) === canonical(told.document) ? [] : [{ id: kept.id, what: 'differs' }];
}
