import { isSameJson } from '../../kernel/diff.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { applyEvent, copyRow, emptyRow, findDocumentIds, foldOrNull, isCopy } from '../projections/apply-event.js';
import type { DeadLetters } from '../projections/dead-letters.js';
import { readPages } from '../read-pages.js';
import { AbortedError } from '../retrier.js';

const PAGE_EVENTS = 1_000;
/** Maximum number of rows in memory. */
const MAX_ROWS = 20_000;
const PAGE_ROWS = 500;
const SAMPLE_RANGES = 10;

/** All rows with ids between two bounds: exclusive below, inclusive above; null is unbounded. */
interface Range {
  readonly above: string | null;
  readonly upTo: string | null;
  readonly rows: readonly Row[];
}

export interface Difference {
  /** Id of the document; the stream, when the document could not be determined; or the values of a group. */
  readonly id: string;
  readonly what:
    | 'differs'
    | 'is missing'
    | 'should not be there'
    | 'is outdated'
    | 'is ahead'
    | 'is blocked'
    | 'cannot be folded'
    | 'is counted wrong';
  /** Id of the dead letter that blocks the document. */
  readonly deadLetter?: string;
}

/** Compares the stored rows of some ranges with the rows folded from the log. */
export class Comparison<D extends object> {
  private readonly actual: ReadonlyMap<string, Row>;
  private readonly expected = new Map<string, Row<D>>();
  private readonly unfoldable = new Set<string>();
  private readonly end: Position;

  /** @param deadLetters dead letters, whose events are excluded from the comparison */
  constructor(
    private readonly projection: Projection<D>,
    private readonly ranges: readonly Range[],
    private readonly reached: Position,
    private readonly deadLetters: Pick<DeadLetters, 'blocks'>,
  ) {
    const rows = ranges.flatMap((range) => range.rows);
    this.actual = new Map(rows.map((row) => [row.id, row]));
    this.end = rows.map((row) => row.position).reduce(pickLater, reached);
  }

  async fold(store: EventStore, signal: AbortSignal): Promise<void> {
    for await (const { events } of readPages(store, { limit: PAGE_EVENTS, upTo: this.end })) {
      if (signal.aborted) throw new AbortedError();
      for (const event of events) this.foldEvent(event);
    }
  }

  /**
   * Returns the differences. A row that is not in the ranges may have been deleted or changed since they were read, so
   * it is loaded again.
   */
  async findDifferences(build: string, readModels: ReadModels): Promise<Difference[]> {
    const unlisted = [...this.expected.values()].filter(
      ({ id, document }) => document !== null && !this.actual.has(id),
    );
    const ids = unlisted.map(({ id }) => id);
    const since = new Map((await readModels.load(build, ids)).map(({ id, position }) => [id, position]));
    const missing = unlisted.filter(({ id, position }) => (since.get(id) ?? START) <= position);
    const found = [
      ...[...this.actual.values()]
        .filter((row) => this.expected.has(row.id) || !isCopy(this.projection, row as Row<D>))
        .flatMap((row) => this.compareRows(row, this.expected.get(row.id) ?? emptyRow<D>(row.id))),
      ...missing.map(({ id }): Difference => ({ id, what: 'is missing' })),
    ];
    const unfoldable = [...this.unfoldable].map((id): Difference => ({ id, what: 'cannot be folded' }));
    return [...found.filter(({ id }) => !this.unfoldable.has(id)), ...unfoldable];
  }

  private foldEvent(event: RecordedEvent): void {
    if (this.deadLetters.blocks(null, event)) return;
    const ids = foldOrNull(() => findDocumentIds(this.projection, event));
    if (ids === null && event.position <= this.reached) this.unfoldable.add(event.stream);
    for (const id of ids ?? []) if (this.isWanted(id, event)) this.applyToRow(id, event);
  }

  private applyToRow(id: string, event: RecordedEvent): void {
    const row = foldOrNull(() => applyEvent(this.projection, this.expected.get(id) ?? emptyRow<D>(id), event));
    if (row === null) return void this.unfoldable.add(id);
    this.expected.set(id, row);
    const copy = copyRow(this.projection, row);
    if (copy !== null && isWithin(this.ranges, copy.id)) this.expected.set(copy.id, copy);
  }

  /** After the build's checkpoint a document may contain an event or not. */
  private isWanted(id: string, event: RecordedEvent): boolean {
    const end = pickLater(this.actual.get(id)?.position ?? START, this.reached);
    const isOpen = !this.unfoldable.has(id) && !this.deadLetters.blocks(id, event);
    return isOpen && event.position <= end && isWithin(this.ranges, id);
  }

  private compareRows(actual: Row, expected: Row): Difference[] {
    const { id } = actual;
    if (actual.document !== null && expected.document === null) return [{ id, what: 'should not be there' }];
    if (actual.document === null && expected.document !== null) return [{ id, what: 'is missing' }];
    if (actual.position < expected.position) return [{ id, what: 'is outdated' }];
    if (isAhead(actual, expected, this.reached)) return [{ id, what: 'is ahead' }];
    return isSameJson(actual.document, expected.document) ? [] : [{ id, what: 'differs' }];
  }
}

/**
 * Returns whether the row would miss later events. Up to the checkpoint of its build, a row may be ahead of its last
 * event (an event that was skipped since).
 */
export function isAhead(actual: Row, expected: Row, reached: Position): boolean {
  return actual.position > expected.position && actual.position > reached;
}

function isWithin(ranges: readonly Range[], id: string): boolean {
  return ranges.some(({ above, upTo }) => (above === null || id > above) && (upTo === null || id <= upTo));
}

/**
 * Reads the whole collection in ranges; or, with `sample`, about that number of documents in ranges from the whole
 * collection.
 */
export async function* readRanges(
  build: string,
  readModels: ReadModels,
  sample?: number,
): AsyncIterable<readonly Range[]> {
  const size = await readModels.count(build, {});
  if (sample !== undefined && sample < size) yield sampleRanges(build, readModels, sample, size);
  else for await (const range of readAllRanges(build, readModels)) yield [range];
}

async function* readAllRanges(build: string, readModels: ReadModels): AsyncIterable<Range> {
  let above: string | null = null;
  do {
    const range: Range = await readRangeAbove(build, readModels, above, MAX_ROWS);
    yield range;
    above = range.upTo;
  } while (above !== null);
}

async function sampleRanges(
  build: string,
  readModels: ReadModels,
  sample: number,
  size: number,
): Promise<readonly Range[]> {
  const rangeCount = Math.min(SAMPLE_RANGES, sample);
  const ranges: Range[] = [];
  for (let index = 0; index < rangeCount; index++) {
    const offset = Math.floor((index * size) / rangeCount);
    const above = offset === 0 ? null : await findIdAt(build, readModels, offset - 1);
    ranges.push(await readRangeAbove(build, readModels, above, Math.ceil(sample / rangeCount)));
  }
  return ranges;
}

async function readRangeAbove(
  build: string,
  readModels: ReadModels,
  above: string | null,
  limit: number,
): Promise<Range> {
  const rows: Row[] = [];
  for (let more = true; more && rows.length < limit;) {
    const wanted = Math.min(PAGE_ROWS, limit - rows.length);
    const found = await readModels.scan(build, rows.at(-1)?.id ?? above, wanted);
    rows.push(...found);
    more = found.length === wanted;
  }
  return { above, upTo: rows.length < limit ? null : rows.at(-1)!.id, rows };
}

async function findIdAt(build: string, readModels: ReadModels, offset: number): Promise<string | null> {
  const [found] = await readModels.find<{ readonly id: string }>(build, {
    where: {},
    orderBy: 'id',
    ascending: true,
    limit: 1,
    offset,
  });
  return found?.id ?? null;
}
