import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival, Arrivals } from '../deliveries/arrivals.ts';
import { parseBody } from '../deliveries/first-arrivals.ts';
import { round } from '../numbers.ts';

/** The share of the events delivered before the kill. */
const ARRIVED_BEFORE_KILL = 0.3;
const POLL_MS = 250;
const TIMEOUT_MS = 150_000;
/** The wait after the last arrival, because attempts in flight may be repeated. */
const DUPLICATES_WITHIN_MS = 3_000;

/** A sender to one endpoint that can be killed. */
export interface KillableSender {
  /** Enqueues `count` events at once. */
  readonly fill: (count: number) => Promise<void>;
  readonly kill9: () => Promise<void>;
  /** Restarts the sender. @returns the time of the start */
  readonly restart: () => Promise<number>;
  /** Returns the number of attempts recorded as lost; absent for a sender without such a record. */
  readonly countLost?: () => number;
  readonly stop: () => Promise<void>;
}

export interface KillReport {
  readonly lost: number;
  readonly doubled: number;
  readonly arrived_before_the_kill: number;
  /** Seconds from the restart to the first arrival and to the last one, including duplicates. */
  readonly first_arrival_s: number;
  readonly last_arrival_s: number;
}

/** Kills a sender during `count` deliveries and restarts it at once. */
export async function drainWithKill(sender: KillableSender, arrivals: Arrivals, count: number): Promise<KillReport> {
  await arrivals.forget();
  await sender.fill(count);
  await arrivals.waitForFirst(Math.ceil(count * ARRIVED_BEFORE_KILL));
  await sender.kill9();
  const before = (await arrivals.waitForFirst(0)).length;
  const restarted = await sender.restart();
  const arrived = await waitUntilDrained(arrivals, count);
  const seconds = (place: number) => round((arrived.at(place)!.at - restarted) / 1_000);
  const distinct = countDistinct(arrived);
  return {
    lost: count - distinct,
    doubled: arrived.length - distinct,
    arrived_before_the_kill: before,
    first_arrival_s: seconds(Math.min(before, arrived.length - 1)),
    last_arrival_s: seconds(-1),
  };
}

async function waitUntilDrained(arrivals: Arrivals, count: number): Promise<readonly Arrival[]> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await delay(POLL_MS)) {
    if (countDistinct(await arrivals.waitForFirst(0)) >= count) break;
  }
  await delay(DUPLICATES_WITHIN_MS);
  return arrivals.waitForFirst(0);
}

function countDistinct(arrived: readonly Arrival[]): number {
  return new Set(arrived.map((arrival) => parseBody(arrival).id)).size;
}
