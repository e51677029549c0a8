import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import type { ReadModels, Row } from '../../kernel/read-models.js';
import { amend, DeadLetters } from '../projecting/dead-letters.js';
import { noRow } from '../projecting/folding.js';
import { Projector } from '../projecting/projector.js';
import { refolded } from '../projecting/refolded.js';
import { withoutSkipped } from '../projecting/skips.js';
import { canonical } from './canonical.js';
import { isAhead } from './comparison.js';

const TRIES = 10;
/** Time after which a page that was started with the wrong document is saved. */
const SETTLED_MS = 500;

/** `unknown`: neither the log nor the build has the document. */
export type Repair = 'right' | 'mended' | 'unknown';

interface RepairTools {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/**
 * Repairs one document in a build that is followed at the same time.
 * @throws PoisonEvent
 */
export async function repaired(
  projection: Projection<object>,
  id: string,
  build: string,
  { store, readModels, clock }: RepairTools,
): Promise<Repair> {
  let repair: Repair = 'right';
  for (let tries = 1; tries <= TRIES; tries++) {
    const [kept = noRow(id)] = await readModels.load(build, [id]);
    const reached = await readModels.checkpoint(build);
    const [told] = await refolded(await withoutSkipped(projection, store), [id], later(reached, kept.position), store);
    if (repair === 'right' && kept.position === START && told!.position === START) return 'unknown';
    if (isSame(kept, told!, reached)) return repair;
    if (await readModels.replace(build, told!, kept.position)) repair = 'mended';
    await clock.sleep(SETTLED_MS);
  }
  throw new StoreUnavailable(`${id} changes too often in ${build}`, false);
}

/**
 * Releases the dead letters of the document and folds them where possible.
 * @returns whether there were any
 */
export async function unblocked<D extends object>(
  projection: Projection<D>,
  id: string,
  build: string,
  tools: RepairTools,
): Promise<boolean> {
  const letters = (await new DeadLetters(tools.readModels, tools.clock, build).load()).get(id) ?? [];
  for (const blocking of letters.filter(({ first }) => first)) await amend(tools.readModels, { ...blocking, retry: true });
  if (letters.length > 0) await new Projector(projection, tools, build).refresh();
  return letters.length > 0;
}

function isSame(kept: Row, told: Row, reached: Position): boolean {
  if (isAhead(kept, told, reached)) return false;
  return told.position <= kept.position && canonical(kept.document) === canonical(told.document);
}
