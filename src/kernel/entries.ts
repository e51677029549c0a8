/** By how much the clocks of two processes may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** An entry of a stream that never ends: its id and when it was recorded come first. */
export type Entry = readonly [id: string, at: string, ...more: readonly string[]];

/** What a state remembers of the entries of its stream. */
export interface Remembered<T extends Entry = Entry> {
  readonly latest: readonly T[];
  /** When the newest entry was recorded that is not among the latest; null while all of them are. */
  readonly forgottenAt: string | null;
}

/** What is known of an entry that may be in the stream already. */
export interface Sought {
  /** What the entry follows from was recorded then; null: the id is new, so no other run can have made the entry. */
  readonly since: string | null;
  /** The entry is not among so many first entries of the stream. */
  readonly searched: number;
}

export const NOTHING_REMEMBERED = { latest: [], forgottenAt: null } as const;

export function remember<T extends Entry>({ latest, forgottenAt }: Remembered<T>, entry: T, limit: number): Remembered<T> {
  if (latest.length < limit) return { latest: [...latest, entry], forgottenAt };
  return { latest: latest.slice(1).concat([entry]), forgottenAt: latest[0]![1] };
}

export function remembered<T extends Entry>({ latest }: Remembered<T>, id: string): T | undefined {
  return latest.findLast(([other]) => other === id);
}

/**
 * Whether only the stream itself can tell that it has no such entry.
 * @param count of all entries of the stream
 */
export function mayHaveForgotten({ latest, forgottenAt }: Remembered, count: number, { since, searched }: Sought): boolean {
  if (since === null || forgottenAt === null || count - latest.length <= searched) return false;
  return Date.parse(forgottenAt) >= Date.parse(since) - CLOCKS_DIFFER_MS;
}
