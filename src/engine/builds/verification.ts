import type { Checkpoints } from '../../kernel/checkpoints.js';
import type { Clock } from '../../kernel/clock.js';
import { isSameJson } from '../../kernel/diff.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { HourlySizes, ReadModels, Row, Scalar, Where } from '../../kernel/read-models.js';
import { emptyRow } from '../projections/apply-event.js';
import type { DeadLetter } from '../projections/dead-letter.js';
import { DeadLetters, updateDeadLetter } from '../projections/dead-letters.js';
import { foldDocuments } from '../projections/fold-documents.js';
import { Projector } from '../projections/projector.js';
import { loadWithSkips } from '../projections/skips.js';
import { Comparison, type Difference, isAhead, readRanges } from './comparison.js';

/** Number of times that a total is compared, so that a concurrent write is not reported. */
const COUNTS = 5;
/** Matches every id. The store keeps no total for this condition, so it counts the documents. */
const ANY_ID = { id: { from: '' } };

/** Number of times that a document is repaired while others write it. */
const REPAIRS = 10;
/** Time after which a page that was started with the wrong document is saved. */
const RECHECK_MS = 500;

export interface Verification {
  readonly build: string;
  readonly documents: number;
  /** Position of the build when the verification began. */
  readonly position: Position;
  readonly differences: readonly Difference[];
}

/** `notFound`: neither the log nor the build has the document. */
export type Repair = 'unchanged' | 'repaired' | 'notFound';

interface VerificationTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
}

interface VerificationOptions {
  readonly sample?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Folds documents from the log and compares them with the build, each at its own position, and compares the sizes of
 * groups with their content. Documents that a dead letter blocks are named; the others are compared.
 * @throws AbortedError
 */
export async function verifyBuild<D extends object>(
  projection: Projection<D>,
  build: string,
  { store, readModels, checkpoints, clock }: VerificationTools,
  { sample, signal }: VerificationOptions,
): Promise<Verification> {
  const map = await loadWithSkips(projection, store);
  const position = await checkpoints.readCheckpoint(build);
  // Dead letters are read after the checkpoint, so that they include all events set aside before it.
  const deadLetters = new DeadLetters(readModels, clock, build);
  const blocked = [...(await deadLetters.load()).values()].map(toBlockedDifference);
  const totals = new Totals(projection.totals, projection.hourly);
  const found = new Map(blocked.map((difference) => [difference.id, difference]));
  let documents = 0;
  for await (const ranges of readRanges(build, readModels, sample)) {
    const comparison = new Comparison(map, ranges, position, deadLetters);
    await comparison.fold(store, signal);
    for (const difference of await comparison.findDifferences(build, readModels)) {
      if (!found.has(difference.id)) found.set(difference.id, difference);
    }
    const stored = ranges.flatMap(({ rows }) => rows.flatMap(({ document }) => document ?? []));
    for (const document of stored) totals.add(document);
    documents += stored.length;
  }
  return {
    build,
    documents,
    position,
    differences: [...found.values(), ...(await totals.findDifferences(build, readModels))],
  };
}

function toBlockedDifference(deadLetters: readonly DeadLetter[]): Difference {
  const { id: deadLetter, document, stream } = deadLetters.find(({ blocking }) => blocking) ?? deadLetters[0]!;
  return { id: document ?? stream, what: 'is blocked', deadLetter };
}

/**
 * Repairs one document in a build that is followed at the same time.
 * @throws PoisonEvent
 */
export async function repairDocument(
  projection: Projection<object>,
  id: string,
  build: string,
  { store, readModels, checkpoints, clock }: VerificationTools,
): Promise<Repair> {
  let repair: Repair = 'unchanged';
  for (let tries = 1; tries <= REPAIRS; tries++) {
    const [actual = emptyRow(id)] = await readModels.load(build, [id]);
    const reached = await checkpoints.readCheckpoint(build);
    const [expected] = await foldDocuments(
      await loadWithSkips(projection, store),
      [id],
      pickLater(reached, actual.position),
      store,
    );
    if (repair === 'unchanged' && actual.position === START && expected!.position === START) return 'notFound';
    if (isSame(actual, expected!, reached)) return repair;
    if (await readModels.compareAndSet(build, expected!, actual.position)) repair = 'repaired';
    await clock.sleep(RECHECK_MS);
  }
  throw new StoreUnavailable(`${id} changes too often in ${build}`, false);
}

/**
 * Releases the dead letters of the document and folds them where possible.
 * @returns whether there were any
 */
export async function unblockDocument<D extends object>(
  projection: Projection<D>,
  id: string,
  build: string,
  tools: VerificationTools,
): Promise<boolean> {
  const deadLetters = (await new DeadLetters(tools.readModels, tools.clock, build).load()).get(id) ?? [];
  for (const blocking of deadLetters.filter(({ blocking }) => blocking))
    await updateDeadLetter(tools.readModels, { ...blocking, retry: true });
  if (deadLetters.length > 0) await new Projector(projection, tools, build).refresh();
  return deadLetters.length > 0;
}

function isSame(actual: Row, expected: Row, reached: Position): boolean {
  if (isAhead(actual, expected, reached)) return false;
  return expected.position <= actual.position && isSameJson(actual.document, expected.document);
}

/** The groups whose sizes are kept, collected from the documents. */
export class Totals {
  private readonly groups = new Map<string, Where>();

  constructor(
    private readonly paths: readonly (readonly string[])[] = [],
    private readonly hourly: readonly HourlySizes[] = [],
  ) {}

  add(document: object): void {
    for (const paths of this.paths) this.addGroup(document, paths);
    for (const { group, times } of this.hourly) this.addGroup(document, group, times[0]);
  }

  /** @param time path of the time by which the group is also counted, over all hours */
  private addGroup(document: object, paths: readonly string[], time?: string): void {
    const values = paths.map((path) => [path, readScalar(document, path)] as const);
    const name = [
      ...values.map(([path, value]) => `${path}=${value}`),
      ...(time === undefined ? [] : [`by ${time}`]),
    ].join(' ');
    this.groups.set(name, { ...Object.fromEntries(values), ...(time !== undefined && { [time]: {} }) });
  }

  async findDifferences(build: string, readModels: ReadModels): Promise<Difference[]> {
    const wrong: Difference[] = [];
    for (const [id, group] of this.groups) {
      if (await isMiscounted(build, group, readModels)) wrong.push({ id, what: 'is counted wrong' });
    }
    return wrong;
  }
}

/** Counts the documents between two reads of the stored total: when both reads agree, no write happened in between. */
async function isMiscounted(build: string, group: Where, readModels: ReadModels): Promise<boolean> {
  for (let tries = 1; tries <= COUNTS; tries++) {
    const before = await readModels.count(build, group);
    const counted = await readModels.count(build, { ...group, ...ANY_ID });
    if (before === counted) return false;
    if (tries === COUNTS) return before === (await readModels.count(build, group));
  }
  return false;
}

function readScalar(document: object, path: string): Scalar {
  const value = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key], document);
  return (value ?? null) as Scalar;
}
