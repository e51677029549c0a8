import type { Clock } from '../../kernel/clock.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { emptyRow } from '../projections/apply-event.js';
import { DeadLetters, updateDeadLetter } from '../projections/dead-letters.js';
import { Projector } from '../projections/projector.js';
import { rebuildDocuments } from '../projections/rebuild-documents.js';
import { loadWithSkips } from '../projections/skips.js';
import { toCanonicalJson } from './canonical-json.js';
import { isAhead } from './comparison.js';

const TRIES = 10;
/** Time after which a page that was started with the wrong document is saved. */
const RECHECK_MS = 500;

/** `notFound`: neither the log nor the build has the document. */
export type Repair = 'unchanged' | 'repaired' | 'notFound';

interface RepairTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/**
 * Repairs one document in a build that is followed at the same time.
 * @throws PoisonEvent
 */
export async function repairDocument(
  projection: Projection<object>,
  id: string,
  build: string,
  { store, readModels, clock }: RepairTools,
): Promise<Repair> {
  let repair: Repair = 'unchanged';
  for (let tries = 1; tries <= TRIES; tries++) {
    const [actual = emptyRow(id)] = await readModels.load(build, [id]);
    const reached = await readModels.readCheckpoint(build);
    const [expected] = await rebuildDocuments(
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
  tools: RepairTools,
): Promise<boolean> {
  const deadLetters = (await new DeadLetters(tools.readModels, tools.clock, build).load()).get(id) ?? [];
  for (const blocking of deadLetters.filter(({ blocking }) => blocking))
    await updateDeadLetter(tools.readModels, { ...blocking, retry: true });
  if (deadLetters.length > 0) await new Projector(projection, tools, build).refresh();
  return deadLetters.length > 0;
}

function isSame(actual: Row, expected: Row, reached: Position): boolean {
  if (isAhead(actual, expected, reached)) return false;
  return (
    expected.position <= actual.position && toCanonicalJson(actual.document) === toCanonicalJson(expected.document)
  );
}
