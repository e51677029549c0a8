/** The prefix of an id, and the first characters of its time: some nine hours of ids fall in one part. */
const TIMED_ID = /^([a-z]+_[0-9a-z]{5})[0-9a-z]{21}$/;
/** Of an id that does not sort by time. */
const UNTIMED = '';

/** Each document is in one part of its collection for as long as it exists: its id says which. */
export function partOf(id: string): string {
  return TIMED_ID.exec(id)?.[1] ?? UNTIMED;
}

/** A filter for the ids of a part. */
export function inPart(part: string): object {
  return part === UNTIMED ? { _id: { $not: TIMED_ID } } : { _id: { $gte: part, $lt: `${part}~` } };
}
