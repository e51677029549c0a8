import { DAY_MS, type Clock, type Random } from '../../kernel/clock.js';
import { earlier, START, type Position } from '../../kernel/position.js';
import { buildOf } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { DEAD_LETTERS, deadLettersShape } from '../projecting/dead-letters.js';
import type { Builds } from './builds.js';
import { followed, type Entry } from './catalogue.js';

/** No process still holds a page, and no write is still on its way, after so long. */
const KEPT_MS = DAY_MS;
/** Is taken for a day by the store's time, and never given up: clocks of processes may differ by days. */
const LEASE = 'day of tombstones';
const SLICE = 500;
/** Between two slices, for others that write. */
const PAUSE_MS = 100;

/** How far each build of a version was when that was last written down. */
type Reached = Readonly<Record<string, Position>>;

interface SweepingTools {
  readonly builds: Builds;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Deletes old tombstones: those that their build had passed a day ago. How far each build is, is written into the catalogue once a day, by
 * one process, which then sweeps what it found written there.
 */
export async function sweepTombstones(versions: ReadonlySet<string>, tools: SweepingTools, signal: AbortSignal): Promise<void> {
  const { builds, readModels, random } = tools;
  const entries = [...builds.entries].map(([name, entry]) => ({ name, names: buildsIn(name, entry) }));
  // Before the day begins, so that it is at least a day old when the next one does.
  const reached = await Promise.all(entries.map(({ names }) => reachedBy(names, readModels)));
  // A holder of its own each time: a process that asks again within the day does not renew it.
  const day = await readModels.lease(LEASE, random.next().toString(36), KEPT_MS);
  if (day === null) return;

  const passed: Record<string, Position> = {};
  for (const [i, { name, names }] of entries.entries()) {
    if (names.length === 0) continue;
    const before = await note(name, day, reached[i]!, builds);
    Object.assign(passed, before);
    if (!versions.has(name)) continue;
    for (const [build, position] of Object.entries(before)) await sweep(build, position, tools, signal);
  }
  const positions = entries.flatMap(({ names }) => names.map((build) => passed[build] ?? START));
  if (positions.length > 0) await sweepLetters(positions.reduce(earlier), tools, signal);
}

async function reachedBy(builds: readonly string[], readModels: ReadModels): Promise<Reached> {
  return Object.fromEntries(await Promise.all(builds.map(async (build) => [build, await readModels.checkpoint(build)] as const)));
}

/** What was written down on an earlier day; nothing when a process has begun a later day meanwhile. */
async function note(name: string, day: number, reached: Reached, builds: Builds): Promise<Reached> {
  let passed: Reached = {};
  await builds.change(name, (entry) => {
    const swept = entry.swept ?? { reached: {} };
    // Without a day it was dated by the clock of some process.
    passed = swept.day !== undefined && swept.day < day ? swept.reached : {};
    return (swept.day ?? 0) < day ? { ...entry, swept: { day, reached } } : entry;
  });
  return passed;
}

/** A letter's tombstone is for the build that the letter is of, so all builds have to be past it. */
async function sweepLetters(upTo: Position, tools: SweepingTools, signal: AbortSignal): Promise<void> {
  await tools.readModels.prepare(DEAD_LETTERS, deadLettersShape);
  await sweep(DEAD_LETTERS, upTo, tools, signal);
}

async function sweep(collection: string, upTo: Position, { readModels, clock }: SweepingTools, signal: AbortSignal): Promise<void> {
  while (upTo !== START && !signal.aborted && (await readModels.sweep(collection, upTo, SLICE)) === SLICE) {
    await clock.sleep(PAUSE_MS, signal);
  }
}

/** Those that are kept up to date, whether they are paused now or not. */
function buildsIn(name: string, entry: Entry): string[] {
  return followed({ ...entry, paused: false }).map(({ n }) => buildOf(name, n));
}
