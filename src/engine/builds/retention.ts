import { DAY_MS, iso, type Clock } from '../../kernel/clock.js';
import type { Builds } from './builds.js';
import { droppedWhole, type Entry } from './catalogue.js';

/** A version that no process has had for so long is not gone back to: its builds are dropped. */
export const UNUSED_DAYS = 14;

/** Notes that the versions of this code are in use, once a day, and marks the builds of versions as dropping that nobody uses any more. */
export async function retireBuilds(
  used: ReadonlySet<string>,
  { builds, clock }: { readonly builds: Builds; readonly clock: Clock },
): Promise<void> {
  const now = clock.now();
  for (const [name, entry] of builds.entries) {
    const next = (kept: Entry) => (used.has(name) ? inUse(kept, now) : unlessUnused(kept, now));
    if (next(entry) !== entry) await builds.change(name, next);
  }
}

/** Versions with builds that this code does not have. */
export function unusedVersions(entries: ReadonlyMap<string, Entry>, used: ReadonlySet<string>): readonly [string, Entry][] {
  return [...entries].filter(([name, { builds }]) => !used.has(name) && builds.length > 0);
}

function inUse(entry: Entry, now: number): Entry {
  return entry.usedAt !== undefined && age(entry.usedAt, now) < DAY_MS ? entry : { ...entry, usedAt: iso(now) };
}

/** Code from before this was noted may still use it: its time begins when it is first seen. */
function unlessUnused(entry: Entry, now: number): Entry {
  if (entry.builds.every(({ status }) => status === 'dropping')) return entry;
  if (entry.usedAt === undefined) return { ...entry, usedAt: iso(now) };
  return age(entry.usedAt, now) < UNUSED_DAYS * DAY_MS ? entry : droppedWhole(entry);
}

function age(at: string, now: number): number {
  return now - Date.parse(at);
}
