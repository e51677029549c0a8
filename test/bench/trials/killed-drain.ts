import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival, Arrivals } from '../deliveries/arrivals.ts';
import { bodyOf } from '../deliveries/arrived.ts';
import { rounded } from '../numbers.ts';

/** The share of the events delivered before the kill. */
const ARRIVED_AT_THE_KILL = 0.3;
const LOOK_AGAIN_MS = 250;
const PATIENCE_MS = 150_000;
/** The wait after the last arrival, because attempts in flight may be repeated. */
const DOUBLES_COME_WITHIN_MS = 3_000;

/** A sender to one endpoint that can be killed. */
export interface Mortal {
  /** Enqueues `count` events at once. */
  readonly fill: (count: number) => Promise<void>;
  readonly kill9: () => Promise<void>;
  /** Restarts the sender. @returns the time of the start */
  readonly restart: () => Promise<number>;
  /** Returns the number of attempts recorded as lost; absent for a sender without such a record. */
  readonly recordedAsLost?: () => number;
  readonly end: () => Promise<void>;
}

export interface Survived {
  readonly lost: number;
  readonly doubled: number;
  readonly arrived_before_the_kill: number;
  /** Seconds from the restart to the first arrival and to the last one, including duplicates. */
  readonly first_arrival_s: number;
  readonly last_arrival_s: number;
}

/** Kills a sender during `count` deliveries and restarts it at once. */
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
