import type { Row } from '../../../src/kernel/read-models.js';
import type { Order } from './orders.ts';

export const DUE = '2026-02-01T09:00:00.000Z';
export const JOB_DATA = { order: 'ord_01kc3ywtm0q3b7d1v4n9x2z5ah', step: 'settle' };
export const LEASE_MS = 60_000;

export const SAVED = 'saved';
/** A small collection, because the substitute for MongoDB scans it for each page. */
export const LISTED = 'listed';

/** The measured operations. */
export interface MeasuredClient {
  load(ids: readonly string[]): Promise<readonly unknown[]>;
  save(collection: string, rows: readonly Row<Order>[]): Promise<unknown>;
  /** Returns the page of the list after this order. */
  list(after: Order): Promise<readonly unknown[]>;
  /** Enqueues, claims and completes a job. */
  runJob(queue: string): Promise<unknown>;
  close(): Promise<void>;
}
