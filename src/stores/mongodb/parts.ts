/** The prefix of an id and the first characters of its time: a part covers the ids of about nine hours. */
const TIMED_ID = /^([a-z]+_[0-9a-z]{5})[0-9a-z]{21}$/;
/** The part of ids that do not sort by time. */
const UNTIMED = '';

/** Returns the part of a document. It derives from the id, so a document never changes its part. */
export function partOf(id: string): string {
  return TIMED_ID.exec(id)?.[1] ?? UNTIMED;
}

/** Returns the filter for the ids of a part. */
export function toPartFilter(part: string): object {
  return part === UNTIMED ? { _id: { $not: TIMED_ID } } : { _id: { $gte: part, $lt: `${part}~` } };
}
