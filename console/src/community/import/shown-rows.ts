/** A page with more rows is slow. */
export const SHOWN_ROWS = 200;

/** Says which rows of a long table are shown. @param first the rows at its top */
export function describeShown(total: number, first: string): string {
  return total <= SHOWN_ROWS
    ? `The table shows ${first} first.`
    : `The table shows ${SHOWN_ROWS} of ${total} rows, ${first} first.`;
}

export function countRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}
