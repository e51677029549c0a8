import type { Where } from '../../kernel/read-models.js';

/** The prefix of an id and the first characters of its time: a part covers the ids of about nine hours. */
const TIMED_ID = /^([a-z]+_[0-9a-z]{5})[0-9a-z]{21}$/;
/** The part of ids that do not sort by time. */
const UNTIMED = '';

/** Returns the part of a document. It derives from the id, so a document never changes its part. */
export function partOf(id: string): string {
  return TIMED_ID.exec(id)?.[1] ?? UNTIMED;
}

export function toPartFilter(part: string): object {
  return part === UNTIMED ? { _id: { $not: TIMED_ID } } : { _id: { $gte: part, $lt: `${part}~` } };
}

/** Returns the key of a part: of its openings, or of its size when `name` is that of a group. */
export function keyOf(name: string, part: string): string {
  return `${name} ${part}`;
}

/** @param times the times whose bounds are stored with the sizes; other times have other keys */
export function groupKeyOf(name: string, where: Where, times: readonly string[] = []): string {
  const timed = times.length === 0 ? name : keyOf(name, JSON.stringify(times));
  return keyOf(timed, JSON.stringify(Object.entries(where).sort()));
}

/** Returns the range of all keys with this name. */
export function toPrefixRange(name: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: keyOf(name, ''), $lt: `${name}!` };
}
