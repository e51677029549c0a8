import type { BuildCatalogue } from '../../kernel/build-catalogue.js';
import type { Position } from '../../kernel/position.js';
import { collectionOf, type Projection } from '../../kernel/projection.js';
import type { Registry } from '../registry.js';

/** Number of times that a change is applied again after a concurrent one. */
const MAX_CHANGES = 20;

/**
 * `building` has not reached the head yet; `ready` can be activated; `retired` was active and is still followed, so
 * that a rollback is one step.
 */
type BuildStatus = 'building' | 'ready' | 'active' | 'retired' | 'failed' | 'dropping';

export interface BuildEntry {
  readonly n: number;
  readonly status: BuildStatus;
  readonly created_at: string;
  readonly error: string | null;
}

export interface Entry {
  /** Number of the build that reads use. */
  readonly active: number | null;
  /** Number of the build that reads used before. */
  readonly previous: number | null;
  /** Whether its builds are paused: they do not follow the log. */
  readonly paused: boolean;
  readonly next: number;
  /** Grows with each retry or skip of dead letters: projectors then reload them. */
  readonly deadLetterRevision: number;
  /** Last time, to the day, at which a process reported that it uses this version: ISO 8601. */
  readonly usedAt?: string;
  /**
   * Positions of the builds at the beginning of a numbered day. On the next day, tombstones up to these positions are
   * deleted.
   */
  readonly swept?: { readonly day?: number; readonly reached: Readonly<Record<string, Position>> };
  readonly builds: readonly BuildEntry[];
}

export const NO_BUILDS: Entry = {
  active: null,
  previous: null,
  paused: false,
  next: 1,
  deadLetterRevision: 0,
  builds: [],
};

const FOLLOWING: readonly BuildStatus[] = ['ready', 'active', 'retired'];

/** The command is not possible in the current state of the builds. */
export class BuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BuildRefused';
  }
}

/** Reads the whole catalogue; a name that is not in it has no builds. */
export async function readEntries(catalogue: BuildCatalogue): Promise<ReadonlyMap<string, Entry>> {
  return new Map((await catalogue.listEntries()).map(({ name, value }) => [name, value as Entry]));
}

/**
 * Applies `transition` to the current entry, and again after a concurrent change. Writes nothing when the entry stays
 * the same.
 * @throws any error of `transition`
 */
export async function changeEntry(
  catalogue: BuildCatalogue,
  name: string,
  transition: (entry: Entry) => Entry,
): Promise<Entry> {
  for (let tries = 1; tries <= MAX_CHANGES; tries++) {
    const stored = (await catalogue.listEntries()).find((one) => one.name === name);
    const before = (stored?.value as Entry | undefined) ?? NO_BUILDS;
    const after = transition(before);
    if (after === before || (await catalogue.compareAndSetEntry(name, stored?.revision ?? 0, after))) return after;
  }
  throw new Error(`the entry of ${name} changes too often`);
}

/**
 * Returns the newest version in the code (`products` → `products@2`); a full version name is returned as it is.
 * @throws BuildRefused
 */
export function resolveVersion(asked: string, { projections }: Registry, entries: ReadonlyMap<string, Entry>): string {
  const newest = projections.filter(({ name }) => name === asked).sort((a, b) => b.version - a.version)[0];
  if (newest !== undefined) return collectionOf(newest);
  const isKnown = entries.has(asked) || projections.some((projection) => collectionOf(projection) === asked);
  if (!isKnown) throw new BuildRefused(`there is no projection ${asked}`);
  return asked;
}

/** @throws BuildRefused */
export function resolveProjection(name: string, { projections }: Registry): Projection<object> {
  const found = projections.find((projection) => collectionOf(projection) === name) as Projection<object> | undefined;
  if (found === undefined) throw new BuildRefused(`the code no longer has ${name}`);
  return found;
}

/** Returns the builds that are kept up to date. */
export function listFollowed({ paused, builds }: Entry): readonly BuildEntry[] {
  return paused ? [] : builds.filter(({ status }) => FOLLOWING.includes(status));
}

/** Returns the build that has not reached the head yet, or has failed. */
export function findUnfinished({ builds }: Entry): BuildEntry | undefined {
  return builds.find(({ status }) => status === 'building' || status === 'failed');
}

export function requireBuild({ builds }: Entry, n: number): BuildEntry {
  const build = builds.find((one) => one.n === n);
  if (build === undefined) throw new BuildRefused(`there is no build #${n}`);
  return build;
}

export function findNewestReady({ builds }: Entry): number {
  const ready = builds.findLast(({ status }) => status === 'ready');
  if (ready === undefined) throw new BuildRefused('no build is ready to be switched to');
  return ready.n;
}

export function findOnlyDroppable({ builds, active }: Entry): number {
  const [first, ...others] = builds.filter(({ n }) => n !== active);
  if (first === undefined) throw new BuildRefused('there is no build except the active one');
  if (others.length > 0)
    throw new BuildRefused(`choose one of the builds: ${[first, ...others].map(({ n }) => `#${n}`).join(', ')}`);
  return first.n;
}

/** Creates an active first build; for an empty log, which needs no catching up. */
export function createActive(entry: Entry, at: string): Entry {
  return complete(start(entry, at), entry.next, true);
}

export function start(entry: Entry, at: string): Entry {
  const other = findUnfinished(entry);
  if (other !== undefined) throw new BuildRefused(`build #${other.n} is ${other.status}: resume it or drop it first`);
  const build: BuildEntry = { n: entry.next, status: 'building', created_at: at, error: null };
  return { ...entry, next: entry.next + 1, builds: [...entry.builds, build] };
}

/** Resumes a build at its checkpoint. */
export function resume(entry: Entry, n: number): Entry {
  return requireBuild(entry, n).status === 'building' ? entry : transition(entry, n, ['failed'], 'building', 'resumed');
}

/**
 * @param activates whether reads use the build from now on: one step, so that no process sees an intermediate state
 */
export function complete(entry: Entry, n: number, activates: boolean): Entry {
  const ready = transition(entry, n, ['building'], 'ready', 'finished');
  return activates || entry.active === null ? activate(ready, n) : ready;
}

export function fail(entry: Entry, n: number, error: string): Entry {
  return transition(entry, n, ['building'], 'failed', 'failed', error);
}

/** Activates a build; the previous active build is still followed. */
export function activate(entry: Entry, n: number): Entry {
  const { active } = entry;
  if (n === active) throw new BuildRefused(`build #${n} is active already`);
  const chosen = transition(entry, n, ['ready', 'retired'], 'active', 'switched to');
  if (active === null) return { ...chosen, active: n };
  return { ...transition(chosen, active, ['active'], 'retired', 'retired'), active: n, previous: active };
}

/** Activates the previous build, in one step. */
export function rollBack(entry: Entry): Entry {
  if (entry.previous === null) throw new BuildRefused('there is no earlier build to go back to');
  return activate(entry, entry.previous);
}

/** Marks a build as dropping: it is no longer followed, and it is removed when no process can be reading it. */
export function startDrop(entry: Entry, n: number): Entry {
  if (requireBuild(entry, n).status === 'dropping') return entry;
  const left = transition(entry, n, ['building', 'ready', 'retired', 'failed'], 'dropping', 'dropped');
  return { ...left, previous: entry.previous === n ? null : entry.previous };
}

/** Drops all builds of a version that no code has any more, the active one included. */
export function dropAll(entry: Entry): Entry {
  const builds = entry.builds.map((build) => ({ ...build, status: 'dropping' as const }));
  return { ...entry, active: null, previous: null, builds };
}

export function remove(entry: Entry, n: number): Entry {
  return { ...entry, builds: entry.builds.filter((build) => build.n !== n || build.status !== 'dropping') };
}

export function pause(entry: Entry): Entry {
  return entry.paused ? entry : { ...entry, paused: true };
}

export function unpause(entry: Entry): Entry {
  return entry.paused ? { ...entry, paused: false } : entry;
}

/** Records that dead letters were retried or skipped. */
export function bumpDeadLetters(entry: Entry): Entry {
  return { ...entry, deadLetterRevision: entry.deadLetterRevision + 1 };
}

function transition(
  entry: Entry,
  n: number,
  from: readonly BuildStatus[],
  status: BuildStatus,
  done: string,
  error: string | null = null,
): Entry {
  const before = requireBuild(entry, n);
  if (!from.includes(before.status)) throw new BuildRefused(`build #${n} is ${before.status} and cannot be ${done}`);
  return { ...entry, builds: entry.builds.map((build) => (build === before ? { ...build, status, error } : build)) };
}
