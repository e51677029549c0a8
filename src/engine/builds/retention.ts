import { DAY_MS, iso, type Clock } from '../../kernel/clock.js';
import type { Builds } from './builds.js';
import { droppedWhole, type Entry } from './catalogue.js';

/** Number of days without use after which the builds of a version are dropped. */
export const UNUSED_DAYS = 14;

/** Records daily that the versions of this code are in use, and marks the builds of unused versions as dropping. */
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

/** Returns the versions with builds that this code does not have. */
export function unusedVersions(entries: ReadonlyMap<string, Entry>, used: ReadonlySet<string>): readonly [string, Entry][] {
  return [...entries].filter(([name, { builds }]) => !used.has(name) && builds.length > 0);
}

function inUse(entry: Entry, now: number): Entry {
  return entry.usedAt !== undefined && age(entry.usedAt, now) < DAY_MS ? entry : { ...entry, usedAt: iso(now) };
}

/** Processes without this record may still use the version, so its time starts when this function first sees it. */
function unlessUnused(entry: Entry, now: number): Entry {
  if (entry.builds.every(({ status }) => status === 'dropping')) return entry;
  if (entry.usedAt === undefined) return { ...entry, usedAt: iso(now) };
  return age(entry.usedAt, now) < UNUSED_DAYS * DAY_MS ? entry : droppedWhole(entry);
}

function age(at: string, now: number): number {
  return now - Date.parse(at);
}
