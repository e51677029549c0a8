import type { INestApplicationContext } from '@nestjs/common';
import { DEAD_LETTERS, deadLettersShape } from '../../engine/projecting/dead-letters.js';
import { Leases } from '../../engine/leases.js';
import { reactorCheckpoints } from '../../engine/reacting/parts.js';
import { Registry } from '../../engine/registry.js';
import { checkKeys, checkMark, KEY_MARK } from '../../engine/sealing/key-check.js';
import type { Keys } from '../../engine/sealing/keys.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import type { Recorded } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { thisHolder } from '../../stores/holder.js';
import { beginMovingIn, endMovingIn } from '../../stores/moving-in.js';
import type { Ports } from '../../stores/ports.js';
import { Stores } from '../../stores/stores.js';
import { Interrupted } from '../interruption.js';
import type { Report } from '../progress.js';
import { appendAll, keepAll } from './arriving.js';
import type { Belonging, MovedEvent } from './belongings.js';

/** Name of the lease of the process that imports. */
const LEASE = 'moving in';

/** The input of a migration: the events in log order, and the other records. */
export interface Goods {
  /** Identifies the input. */
  readonly name: string;
  readonly events: AsyncIterable<MovedEvent>;
  readonly belongings: AsyncIterable<Belonging>;
}

/** The source store of a migration, and its reactors. */
export interface Source {
  readonly ports: Ports;
  /** The names of the reactors' checkpoints. */
  readonly reactors: readonly string[];
}

export function sourceOf(service: INestApplicationContext): Source {
  return {
    ports: service.get(Stores, { strict: false }).ports,
    reactors: reactorCheckpoints(service.get(Registry, { strict: false })),
  };
}

/**
 * Writes the input to a store, or continues an interrupted migration of it. While another process migrates the same
 * input, waits for its outcome. Returns false when the store already contains the whole input.
 * @throws MigrationError when the store contains anything else, or another migration is unfinished
 */
export async function moveIn(goods: Goods, to: Ports, passed: Passed, signal: AbortSignal): Promise<boolean> {
  if (!(await beginMovingIn(to, goods.name))) return false;
  const moved = Promise.withResolvers<boolean>();
  const leases = new Leases(to.models, new SystemClock(), new SystemRandom(), thisHolder());
  await leases.holdOnce(LEASE, signal, async (held) => moved.resolve(await moveAlone(goods, to, passed, held)));
  if (signal.aborted) throw stopped();
  return moved.promise;
}

async function moveAlone({ name, events, belongings }: Goods, to: Ports, passed: Passed, held: AbortSignal): Promise<boolean> {
  // The previous holder of the lease may have finished the migration.
  if (!(await beginMovingIn(to, name))) return false;
  const last = await appendAll(until(held, events), to.events, passed);
  await keepAll(until(held, belongings), to);
  await endMovingIn(to, name, last);
  return true;
}

/**
 * Initializes the store with the keys that encrypted the input. The check value of the keys is stored before any other
 * record.
 * @throws KeyMismatch when the input was encrypted with other keys, or the store was initialized with others
 */
export async function beginUnder(keys: Keys, mark: Uint8Array | null, { vault }: Ports): Promise<void> {
  if (mark !== null) {
    checkMark(mark, keys);
    await vault.put(KEY_MARK, mark);
  }
  await checkKeys(vault, keys);
}

/** Describes the data that are not copied, one sentence each. @param foreign number of foreign events in the log */
export async function leftBehind(models: ReadModels, foreign: number): Promise<string[]> {
  await models.prepare(DEAD_LETTERS, deadLettersShape);
  const letters = await models.count(DEAD_LETTERS, {});
  return [
    'read models and their builds are not copied: the target rebuilds them from the log, and no projection is paused there',
    ...(foreign > 0 ? [`${foreign} events of other applications are not copied`] : []),
    ...(letters > 0 ? [`${letters} dead letters are not copied: in the target their events stop a build until they are skipped`] : []),
  ];
}

export type Passed = (event: MovedEvent) => void;

/** Passes the items on until the signal aborts. @throws Interrupted */
export async function* until<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncIterable<T> {
  for await (const item of items) {
    if (signal.aborted) throw stopped();
    yield item;
  }
}

function stopped(): Interrupted {
  return new Interrupted('stopped; run the same command again to continue');
}

/** Creates a callback that reports the position of a read of the log. */
export function tellingPositions(report: Report): Passed {
  return tellingOf<Recorded>(report, ({ position }) => position);
}

/**
 * Creates a callback that reports progress.
 * @param toPosition returns the position of an event, the n-th that was read
 */
export function tellingOf<E extends MovedEvent>(report: Report, placeOf: (event: E, n: number) => Position): Passed {
  const began = performance.now();
  let events = 0;
  return (event) => {
    events++;
    const seconds = (performance.now() - began) / 1_000;
    report({ events, perSecond: Math.round(events / Math.max(seconds, 0.001)), position: placeOf(event as E, events) });
  };
}
