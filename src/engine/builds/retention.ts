import { type Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import type { Builds } from './builds.js';
import { dropAll, type Entry } from './catalogue.js';

/** Number of days without use after which the builds of a version are dropped. */
export const UNUSED_DAYS = 14;

/** Records daily that the versions of this code are in use, and marks the builds of unused versions as dropping. */
export async function retireBuilds(
  used: ReadonlySet<string>,
  { builds, clock }: { readonly builds: Builds; readonly clock: Clock },
): Promise<void> {
  const now = clock.now();
  for (const [name, entry] of builds.entries) {
    const next = (kept: Entry) => (used.has(name) ? markUsed(kept, now) : dropIfUnused(kept, now));
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
