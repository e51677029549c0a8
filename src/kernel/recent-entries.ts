import { MAX_CLOCK_SKEW_MS } from './clock.js';

/** An entry of an unbounded stream: its id, the time when it was recorded, and more values. */
export type StreamEntry = readonly [id: string, at: string, ...more: readonly string[]];

/** The newest entries of a stream, as its state holds them. */
export interface RecentEntries<T extends StreamEntry = StreamEntry> {
  readonly latest: readonly T[];
  /** When the newest dropped entry was recorded; null while no entry has been dropped. */
  readonly forgottenAt: string | null;
}

/** Limits the search for an entry that may be in the stream already. */
export interface EntrySearch {
  /**
   * The time when the cause of the entry was recorded; null: the id is new, so no earlier run can have recorded the
   * entry.
   */
  readonly since: string | null;
  /** The number of first entries of the stream that were searched without success. */
  readonly searched: number;
}

/**
 * The number of entries that a state holds. With more, an entry has to be searched in the stream less often
 * (`mayHaveDropped`). With fewer, the states of more businesses fit into the cache of streams.
 */
const MAX_ENTRIES = 500;

export const NO_RECENT_ENTRIES = { latest: [], forgottenAt: null } as const;

export function addEntry<T extends StreamEntry>({ latest, forgottenAt }: RecentEntries<T>, entry: T): RecentEntries<T> {
  if (latest.length < MAX_ENTRIES) return { latest: [...latest, entry], forgottenAt };
  return { latest: latest.slice(1).concat([entry]), forgottenAt: latest[0]![1] };
}

export function findEntry<T extends StreamEntry>({ latest }: RecentEntries<T>, id: string): T | undefined {
  return latest.findLast(([other]) => other === id);
}

/**
 * Returns whether the entry may be among the dropped ones, so that only the stream itself shows that it is missing.
 * @param count number of all entries of the stream
 */
export function mayHaveDropped(
  { latest, forgottenAt }: RecentEntries,
  count: number,
  { since, searched }: EntrySearch,
): boolean {
  if (since === null || forgottenAt === null || count - latest.length <= searched) return false;
  return Date.parse(forgottenAt) >= Date.parse(since) - MAX_CLOCK_SKEW_MS;
}
