import type { Position } from '../../kernel/position.js';

/**
 * `building` has not reached the head yet; `ready` can be activated; `retired` was active and is still followed, so
 * that a rollback is one step.
 */
export type BuildStatus = 'building' | 'ready' | 'active' | 'retired' | 'failed' | 'dropping';

export interface BuildEntry {
  readonly n: number;
  readonly status: BuildStatus;
  readonly created_at: string;
  /** Error that made the build fail. */
  readonly error: string | null;
}

/** The catalogue entry of one version of a projection. */
export interface Entry {
  /** Number of the build that reads use. */
  readonly active: number | null;
  /** Number of the build that reads used before. */
  readonly previous: number | null;
  /** Whether its builds are paused: they do not follow the log. */
  readonly paused: boolean;
  /** Number of the next build. */
  readonly next: number;
  /** Grows with each retry or skip of dead letters: projectors then reload them. */
  readonly letters: number;
  /** Last time, to the day, at which a process reported that it uses this version: ISO 8601. */
  readonly usedAt?: string;
  /**
   * Positions of the builds at the beginning of a numbered day. On the next day, tombstones up to these positions are
   * deleted.
   */
  readonly swept?: { readonly day?: number; readonly reached: Readonly<Record<string, Position>> };
  readonly builds: readonly BuildEntry[];
}

export const NO_BUILDS: Entry = { active: null, previous: null, paused: false, next: 1, letters: 0, builds: [] };

const FOLLOWING: readonly BuildStatus[] = ['ready', 'active', 'retired'];

/** The command is not possible in the current state of the builds. */
export class BuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BuildRefused';
  }
}

/** Returns the builds that are kept up to date. */
export function followed({ paused, builds }: Entry): readonly BuildEntry[] {
  return paused ? [] : builds.filter(({ status }) => FOLLOWING.includes(status));
}

/** Returns the build that has not reached the head yet, or has failed. */
export function unfinished({ builds }: Entry): BuildEntry | undefined {
  return builds.find(({ status }) => status === 'building' || status === 'failed');
}

export function buildIn({ builds }: Entry, n: number): BuildEntry {
  const build = builds.find((one) => one.n === n);
  if (build === undefined) throw new BuildRefused(`there is no build #${n}`);
  return build;
}

/** Creates an active first build; for an empty log, which needs no catching up. */
export function founded(entry: Entry, at: string): Entry {
  return caughtUp(begun(entry, at), entry.next, true);
}

export function begun(entry: Entry, at: string): Entry {
  const other = unfinished(entry);
  if (other !== undefined) throw new BuildRefused(`build #${other.n} is ${other.status}: resume it or drop it first`);
  const build: BuildEntry = { n: entry.next, status: 'building', created_at: at, error: null };
  return { ...entry, next: entry.next + 1, builds: [...entry.builds, build] };
}

/** Resumes a build at its checkpoint. */
export function resumed(entry: Entry, n: number): Entry {
  return buildIn(entry, n).status === 'building' ? entry : moved(entry, n, ['failed'], 'building', 'resumed');
}

/**
 * @param activates whether reads use the build from now on: one step, so that no process sees an intermediate state
 */
export function caughtUp(entry: Entry, n: number, andSwitched: boolean): Entry {
  const ready = moved(entry, n, ['building'], 'ready', 'finished');
  return andSwitched || entry.active === null ? switched(ready, n) : ready;
}

export function failed(entry: Entry, n: number, error: string): Entry {
  return moved(entry, n, ['building'], 'failed', 'failed', error);
}

/** Activates a build; the previous active build is still followed. */
export function switched(entry: Entry, n: number): Entry {
  const { active } = entry;
  if (n === active) throw new BuildRefused(`build #${n} is active already`);
  const chosen = moved(entry, n, ['ready', 'retired'], 'active', 'switched to');
  if (active === null) return { ...chosen, active: n };
  return { ...moved(chosen, active, ['active'], 'retired', 'retired'), active: n, previous: active };
}

/** Activates the previous build, in one step. */
export function rolledBack(entry: Entry): Entry {
  if (entry.previous === null) throw new BuildRefused('there is no earlier build to go back to');
  return switched(entry, entry.previous);
}

/** Marks a build as dropping: it is no longer followed, and it is removed when no process can be reading it. */
export function dropping(entry: Entry, n: number): Entry {
  if (buildIn(entry, n).status === 'dropping') return entry;
  const left = moved(entry, n, ['building', 'ready', 'retired', 'failed'], 'dropping', 'dropped');
  return { ...left, previous: entry.previous === n ? null : entry.previous };
}

/** Drops all builds of a version that no code has any more, the active one included. */
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

/** Records that dead letters were retried or skipped. */
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
