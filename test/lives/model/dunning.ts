import { addDays } from './times.js';

/** The days from the first failure to each retry. */
const RETRY_DAYS = [2, 7, 14, 21];

/** The unpaid charge of one period or part. */
export interface Dunning {
  invoice: string;
  readonly firstFailedAt: string;
  /** The retries that were made. */
  retries: number;
}

/** Returns when the next retry is due; null when none is left. */
export function nextRetryOf({ firstFailedAt, retries }: Dunning): string | null {
  const days = RETRY_DAYS[retries];
  return days === undefined ? null : addDays(firstFailedAt, days);
}
