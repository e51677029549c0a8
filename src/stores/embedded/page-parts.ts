import type { TimeRange } from '../../kernel/conditions.js';
import type { Condition, FindQuery } from '../../kernel/read-models.js';

/** The number of documents of a day or an hour, which starts with `start`: `2026-02-01`, `2026-02-01T09`. */
export interface SpanSize {
  readonly start: string;
  readonly size: number;
}

/** Reads a page from the days or hours that hold it. */
export function readParts(
  find: FindQuery,
  sizes: readonly SpanSize[],
  narrow: (range: TimeRange | undefined, start: string) => Condition,
  read: (part: FindQuery) => string[],
): string[] {
  const { where, orderBy, ascending = false, offset = 0, limit } = find;
  const page: string[] = [];
  let skipped = offset;
  for (const { start, size } of sizes.toSorted((a, b) => (a.start < b.start === ascending ? -1 : 1))) {
    if (page.length >= limit) break;
    const within = { ...where, [orderBy]: narrow(where[orderBy] as TimeRange | undefined, start) };
    if (skipped < size) page.push(...read({ ...find, where: within, offset: skipped, limit: limit - page.length }));
    skipped = Math.max(0, skipped - size);
  }
  return page;
}

export function sumSizes(sizes: readonly SpanSize[]): number {
  return sizes.reduce((all, { size }) => all + size, 0);
}
