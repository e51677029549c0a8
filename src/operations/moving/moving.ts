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

/** Held by whoever moves in. */
const LEASE = 'moving in';

/** What moves: the log in its order, and the rest. */
export interface Goods {
  /** No other goods have it. */
  readonly name: string;
  readonly events: AsyncIterable<MovedEvent>;
  readonly belongings: AsyncIterable<Belonging>;
}

/** A store that is moved out of, and what reacts on it. */
export interface Source {
  readonly ports: Ports;
  /** The names of their checkpoints. */
  readonly reactors: readonly string[];
}

export function sourceOf(service: INestApplicationContext): Source {
  return {
    ports: service.get(Stores, { strict: false }).ports,
    reactors: reactorCheckpoints(service.get(Registry, { strict: false })),
  };
}

/**
 * Goes on from where it was, if it was ended on its way; while another process moves the same, waits for what becomes of that. False when
 * all is there already.
 * @throws MovingIn when anything else is there, or on its way
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
  // Whoever held the lease before may have ended it.
  if (!(await beginMovingIn(to, name))) return false;
  const last = await appendAll(until(held, events), to.events, passed);
  await keepAll(until(held, belongings), to);
  await endMovingIn(to, name, last);
  return true;
}

/**
 * Lets the store begin under the keys that its goods are sealed with, whose mark moves before all else.
 * @throws OtherKeys when these are not the keys, or the store was begun with others
 */
export async function beginUnder(keys: Keys, mark: Uint8Array | null, { vault }: Ports): Promise<void> {
  if (mark !== null) {
    checkMark(mark, keys);
    await vault.put(KEY_MARK, mark);
  }
  await checkKeys(vault, keys);
}

/** What stays where it is, a sentence each. @param foreign how many events of others lie in the log */
export async function leftBehind(models: ReadModels, foreign: number): Promise<string[]> {
  await models.prepare(DEAD_LETTERS, deadLettersShape);
  const letters = await models.count(DEAD_LETTERS, {});
  return [
    'read models and their builds do not move: they are folded from the log where it arrives, and no projection is paused there',
    ...(foreign > 0 ? [`${foreign} events that are not of this service do not move`] : []),
    ...(letters > 0 ? [`${letters} dead letters do not move: what they name stops a build there until it is skipped`] : []),
  ];
}

export type Passed = (event: MovedEvent) => void;

/** Ends a walk along events when the signal aborts. @throws Interrupted */
export async function* until<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncIterable<T> {
  for await (const item of items) {
    if (signal.aborted) throw stopped();
    yield item;
  }
}

function stopped(): Interrupted {
  return new Interrupted('stopped; the same command goes on');
}

/** Tells how far a walk along a log has come. */
export function tellingPositions(report: Report): Passed {
  return tellingOf<Recorded>(report, ({ position }) => position);
}

/** Tells how far a walk has come. @param placeOf where an event is, the n-th that has passed */
export function tellingOf<E extends MovedEvent>(report: Report, placeOf: (event: E, n: number) => Position): Passed {
  const began = performance.now();
  let events = 0;
  return (event) => {
    events++;
    const seconds = (performance.now() - began) / 1_000;
    report({ events, perSecond: Math.round(events / Math.max(seconds, 0.001)), position: placeOf(event as E, events) });
  };
}
