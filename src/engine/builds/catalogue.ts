import type { Position } from '../../kernel/position.js';

/** `building` has still to reach the head; `ready` can be switched to; `retired` was active and follows on: going back is one step. */
export type BuildStatus = 'building' | 'ready' | 'active' | 'retired' | 'failed' | 'dropping';

export interface BuildEntry {
  readonly n: number;
  readonly status: BuildStatus;
  readonly created_at: string;
  /** Why it failed. */
  readonly error: string | null;
}

/** All that is written down about the builds of one version of a projection. */
export interface Entry {
  /** The build that reads use. */
  readonly active: number | null;
  /** The one that they used before. */
  readonly previous: number | null;
  /** Its builds do not follow the log. */
  readonly paused: boolean;
  /** What the next build will be called. */
  readonly next: number;
  /** Grows whenever dead letters were retried or skipped: who follows reads them anew. */
  readonly letters: number;
  /** When a process that has this version last said so, to the day: ISO 8601. */
  readonly usedAt?: string;
  /** How far each build was when a day began; days have growing numbers. On the next day, tombstones up to there are deleted. */
  readonly swept?: { readonly day?: number; readonly reached: Readonly<Record<string, Position>> };
  readonly builds: readonly BuildEntry[];
}

export const NO_BUILDS: Entry = { active: null, previous: null, paused: false, next: 1, letters: 0, builds: [] };

const FOLLOWING: readonly BuildStatus[] = ['ready', 'active', 'retired'];

/** What was asked for cannot be done with the builds as they are. */
export class BuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BuildRefused';
  }
}

/** Builds that are kept up to date. */
export function followed({ paused, builds }: Entry): readonly BuildEntry[] {
  return paused ? [] : builds.filter(({ status }) => FOLLOWING.includes(status));
}

/** The one that has not reached the head yet, or could not. */
export function unfinished({ builds }: Entry): BuildEntry | undefined {
  return builds.find(({ status }) => status === 'building' || status === 'failed');
}

export function buildIn({ builds }: Entry, n: number): BuildEntry {
  const build = builds.find((one) => one.n === n);
  if (build === undefined) throw new BuildRefused(`there is no build #${n}`);
  return build;
}

/** The first build of an empty log has nothing to catch up with. */
export function founded(entry: Entry, at: string): Entry {
  return caughtUp(begun(entry, at), entry.next, true);
}

export function begun(entry: Entry, at: string): Entry {
  const other = unfinished(entry);
  if (other !== undefined) throw new BuildRefused(`build #${other.n} is ${other.status}: resume it or drop it first`);
  const build: BuildEntry = { n: entry.next, status: 'building', created_at: at, error: null };
  return { ...entry, next: entry.next + 1, builds: [...entry.builds, build] };
}

/** Goes on where it stopped. */
export function resumed(entry: Entry, n: number): Entry {
  return buildIn(entry, n).status === 'building' ? entry : moved(entry, n, ['failed'], 'building', 'resumed');
}

/** @param andSwitched reads use it from now on: one step, so that nobody sees it half done */
export function caughtUp(entry: Entry, n: number, andSwitched: boolean): Entry {
  const ready = moved(entry, n, ['building'], 'ready', 'finished');
  return andSwitched || entry.active === null ? switched(ready, n) : ready;
}

export function failed(entry: Entry, n: number, error: string): Entry {
  return moved(entry, n, ['building'], 'failed', 'failed', error);
}

/** Reads use it; the one that they used so far follows on. */
export function switched(entry: Entry, n: number): Entry {
  const { active } = entry;
  if (n === active) throw new BuildRefused(`build #${n} is active already`);
  const chosen = moved(entry, n, ['ready', 'retired'], 'active', 'switched to');
  if (active === null) return { ...chosen, active: n };
  return { ...moved(chosen, active, ['active'], 'retired', 'retired'), active: n, previous: active };
}

/** To the one before, in one step. */
export function rolledBack(entry: Entry): Entry {
  if (entry.previous === null) throw new BuildRefused('there is no earlier build to go back to');
  return switched(entry, entry.previous);
}

/** Nobody follows it from now on, and it goes away when nobody can be reading it any more. */
export function dropping(entry: Entry, n: number): Entry {
  if (buildIn(entry, n).status === 'dropping') return entry;
  const left = moved(entry, n, ['building', 'ready', 'retired', 'failed'], 'dropping', 'dropped');
  return { ...left, previous: entry.previous === n ? null : entry.previous };
}

/** All builds of a version that no code has any more, the active one too. */
export function droppedWhole(entry: Entry): Entry {
  const builds = entry.builds.map((build) => ({ ...build, status: 'dropping' as const }));
  return { ...entry, active: null, previous: null, builds };
}

export function gone(entry: Entry, n: number): Entry {
  return { ...entry, builds: entry.builds.filter((build) => build.n !== n || build.status !== 'dropping') };
}

export function paused(entry: Entry): Entry {
  return entry.paused ? entry : { ...entry, paused: true };
}

export function followedAgain(entry: Entry): Entry {
  return entry.paused ? { ...entry, paused: false } : entry;
}

/** Dead letters were retried or skipped. */
export function lettersChanged(entry: Entry): Entry {
  return { ...entry, letters: entry.letters + 1 };
}

function moved(
  entry: Entry,
  n: number,
  from: readonly BuildStatus[],
  status: BuildStatus,
  done: string,
  error: string | null = null,
): Entry {
  const before = buildIn(entry, n);
  if (!from.includes(before.status)) throw new BuildRefused(`build #${n} is ${before.status} and cannot be ${done}`);
  return { ...entry, builds: entry.builds.map((build) => (build === before ? { ...build, status, error } : build)) };
}
