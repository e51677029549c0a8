import type { Checkpoints } from '../../kernel/checkpoints.js';
import { type Clock, DAY_MS, type Random, toIso } from '../../kernel/clock.js';
import type { Leases } from '../../kernel/leases.js';
import { pickEarlier, type Position, START } from '../../kernel/position.js';
import { buildOf } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { DEAD_LETTERS, deadLettersSchema } from '../projections/dead-letters.js';
import type { Builds } from './builds.js';
import { dropAll, type Entry, listFollowed } from './catalogue.js';

/** Number of days without use after which the builds of a version are dropped. */
export const UNUSED_DAYS = 14;
/** After this time no process holds an old page, and no old write is running. */
const RETENTION_MS = DAY_MS;
/** Lease for one day by the store's clock; it is never released, since the clocks of processes may differ by days. */
const DAY_LEASE = 'day of tombstones';
const BATCH_ROWS = 500;
/** Pause between two batches, for other writers. */
const PAUSE_MS = 100;

type ReachedPositions = Readonly<Record<string, Position>>;

interface SweepingTools {
  readonly builds: Builds;
  readonly readModels: ReadModels;
  readonly checkpoints: Checkpoints;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly random: Random;
}

/** Records daily that the versions of this code are in use, and marks the builds of unused versions as dropping. */
export async function retireBuilds(
  used: ReadonlySet<string>,
  { builds, clock }: { readonly builds: Builds; readonly clock: Clock },
): Promise<void> {
  const now = clock.now();
  for (const [name, entry] of builds.entries) {
    const next = (current: Entry) => (used.has(name) ? markUsed(current, now) : dropIfUnused(current, now));
    if (next(entry) !== entry) await builds.change(name, next);
  }
}

/** Returns the versions with builds that this code does not have. */
export function findUnusedVersions(
  entries: ReadonlyMap<string, Entry>,
  used: ReadonlySet<string>,
): readonly [string, Entry][] {
  return [...entries].filter(([name, { builds }]) => !used.has(name) && builds.length > 0);
}

function markUsed(entry: Entry, now: number): Entry {
  return entry.usedAt !== undefined && ageInMs(entry.usedAt, now) < DAY_MS ? entry : { ...entry, usedAt: toIso(now) };
}

/** Processes without this record may still use the version, so its time starts when this function first sees it. */
function dropIfUnused(entry: Entry, now: number): Entry {
  if (entry.builds.every(({ status }) => status === 'dropping')) return entry;
  if (entry.usedAt === undefined) return { ...entry, usedAt: toIso(now) };
  return ageInMs(entry.usedAt, now) < UNUSED_DAYS * DAY_MS ? entry : dropAll(entry);
}

function ageInMs(at: string, now: number): number {
  return now - Date.parse(at);
}

/**
 * Deletes old tombstones: those that their build passed at least a day ago. Once a day one process records the
 * positions of the builds in the catalogue and sweeps up to the positions that were recorded before.
 */
export async function sweepTombstones(
  versions: ReadonlySet<string>,
  tools: SweepingTools,
  signal: AbortSignal,
): Promise<void> {
  const { builds, checkpoints, leases, random } = tools;
  const entries = [...builds.entries].map(([name, entry]) => ({ name, names: listBuilds(name, entry) }));
  // The positions are read before the day starts, so that they are at least a day old when the next day starts.
  const reached = await Promise.all(entries.map(({ names }) => readReached(names, checkpoints)));
  // Each call is a new lease holder: a process that asks again within the day does not renew the lease.
  const day = await leases.acquireLease(DAY_LEASE, random.next().toString(36), RETENTION_MS);
  if (day === null) return;

  const passed: Record<string, Position> = {};
  for (const [i, { name, names }] of entries.entries()) {
    if (names.length === 0) continue;
    const before = await recordDay(name, day, reached[i]!, builds);
    Object.assign(passed, before);
    if (!versions.has(name)) continue;
    for (const [build, position] of Object.entries(before)) await sweep(build, position, tools, signal);
  }
  const positions = entries.flatMap(({ names }) => names.map((build) => passed[build] ?? START));
  if (positions.length > 0) await sweepDeadLetters(positions.reduce(pickEarlier), tools, signal);
}

async function readReached(builds: readonly string[], checkpoints: Checkpoints): Promise<ReachedPositions> {
  return Object.fromEntries(
    await Promise.all(builds.map(async (build) => [build, await checkpoints.readCheckpoint(build)] as const)),
  );
}

/**
 * Records the positions of the day, and returns those of an earlier day; empty when another process has started a later
 * day.
 */
async function recordDay(
  name: string,
  day: number,
  reached: ReachedPositions,
  builds: Builds,
): Promise<ReachedPositions> {
  let passed: ReachedPositions = {};
  await builds.change(name, (entry) => {
    const swept = entry.swept ?? { reached: {} };
    // A record without a day number was dated by the clock of a process.
    passed = swept.day !== undefined && swept.day < day ? swept.reached : {};
    return (swept.day ?? 0) < day ? { ...entry, swept: { day, reached } } : entry;
  });
  return passed;
}

/** A tombstone of a dead letter belongs to one build, so it is deleted when all builds have passed it. */
async function sweepDeadLetters(upTo: Position, tools: SweepingTools, signal: AbortSignal): Promise<void> {
  await tools.readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  await sweep(DEAD_LETTERS, upTo, tools, signal);
}

async function sweep(
  collection: string,
  upTo: Position,
  { readModels, clock }: SweepingTools,
  signal: AbortSignal,
): Promise<void> {
  while (
    upTo !== START &&
    !signal.aborted &&
    (await readModels.deleteTombstones(collection, upTo, BATCH_ROWS)) === BATCH_ROWS
  ) {
    await clock.sleep(PAUSE_MS, signal);
  }
}

/** Returns the followed builds, including paused ones. */
function listBuilds(name: string, entry: Entry): string[] {
  return listFollowed({ ...entry, paused: false }).map(({ n }) => buildOf(name, n));
}
