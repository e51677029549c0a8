import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival, Arrivals } from '../deliveries/arrivals.ts';
import { bodyOf } from '../deliveries/arrived.ts';
import { rounded } from '../numbers.ts';

/** Of the events, when it is killed. */
const ARRIVED_AT_THE_KILL = 0.3;
const LOOK_AGAIN_MS = 250;
const PATIENCE_MS = 150_000;
/** Behind the last event that arrives: who was in flight may come again. */
const DOUBLES_COME_WITHIN_MS = 3_000;

/** Sends to one endpoint, and can be killed. */
export interface Mortal {
  /** So many events at once that are to be told. */
  readonly fill: (count: number) => Promise<void>;
  readonly kill9: () => Promise<void>;
  /** @returns when it was begun */
  readonly restart: () => Promise<number>;
  /** Of what was in flight when it was killed, where there is a record of it. */
  readonly recordedAsLost?: () => number;
  readonly end: () => Promise<void>;
}

export interface Survived {
  readonly lost: number;
  readonly doubled: number;
  readonly arrived_before_the_kill: number;
  /** From the restart on: to the first arrival, and to the last one, be it a double. */
  readonly first_arrival_s: number;
  readonly last_arrival_s: number;
}

/** A queue of so many, killed in the middle of being sent, and started again at once. */
export async function drainedThroughAKill(mortal: Mortal, arrivals: Arrivals, count: number): Promise<Survived> {
  await arrivals.forget();
  await mortal.fill(count);
  await arrivals.first(Math.ceil(count * ARRIVED_AT_THE_KILL));
  await mortal.kill9();
  const before = (await arrivals.first(0)).length;
  const restarted = await mortal.restart();
  const arrived = await untilDrained(arrivals, count);
  const seconds = (place: number) => rounded((arrived.at(place)!.at - restarted) / 1_000);
  const distinct = distinctIn(arrived);
  return {
    lost: count - distinct,
    doubled: arrived.length - distinct,
    arrived_before_the_kill: before,
    first_arrival_s: seconds(Math.min(before, arrived.length - 1)),
    last_arrival_s: seconds(-1),
  };
}

async function untilDrained(arrivals: Arrivals, count: number): Promise<readonly Arrival[]> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(LOOK_AGAIN_MS)) {
    if (distinctIn(await arrivals.first(0)) >= count) break;
  }
  await delay(DOUBLES_COME_WITHIN_MS);
  return arrivals.first(0);
}

function distinctIn(arrived: readonly Arrival[]): number {
  return new Set(arrived.map((arrival) => bodyOf(arrival).id)).size;
}
