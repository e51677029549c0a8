import type { Condition, FindQuery, Row, Scalar, Where } from '../../src/kernel/read-models.js';

export interface OrderDocument {
  readonly id: string;
  readonly business: { readonly id: string };
  readonly _mode: 'live' | 'test';
  readonly status: string;
  readonly paid: boolean;
  readonly amount_cents: number;
  readonly closed_at: string | null;
  readonly created_at: string;
}

export const SCHEMA = {
  indexes: [
    ['business.id', '_mode', 'created_at'],
    ['business.id', 'status', 'created_at'],
    ['business.id', 'closed_at'],
  ],
  sparse: [['business.id', 'closed_at', 'created_at']],
  totals: [['business.id', '_mode'], ['paid'], []],
};

export function order(n: number, changes: Partial<OrderDocument> = {}): OrderDocument {
  return {
    id: `ord_${String(n).padStart(3, '0')}`,
    business: { id: 'biz_1' },
    _mode: 'live',
    status: 'open',
    paid: false,
    amount_cents: n * 100,
    closed_at: null,
    created_at: `2026-02-01T09:00:00.${String(n).padStart(3, '0')}Z`,
    ...changes,
  };
}

/** Creates the nth of thousands of orders. */
export function createNumberedOrder(n: number): OrderDocument {
  const digits = String(n).padStart(5, '0');
  return order(n, { id: `ord_${digits}`, created_at: `2026-02-01T09:00:${digits.slice(0, 2)}.${digits.slice(2)}Z` });
}

export function row(document: OrderDocument, position: number): Row<OrderDocument> {
  return { id: document.id, position: at(position), document };
}

export function tombstone(id: string, position: number): Row {
  return { id, position: at(position), document: null };
}

export function at(position: number): string {
  return String(position).padStart(16, '0');
}

/** Computes the expected documents of a list by filtering and sorting in memory. */
export function findInMemory(
  documents: readonly OrderDocument[],
  { where, orderBy, ascending = false, after, offset = 0, limit }: FindQuery,
): OrderDocument[] {
  const place = (document: OrderDocument) => ({ value: valueAt(document, orderBy), id: document.id });
  const direction = ascending ? 1 : -1;
  return filterInMemory(documents, where)
    .filter((document) => after === undefined || direction * compareRows(place(document), after) > 0)
    .sort((a, b) => direction * compareRows(place(a), place(b)))
    .slice(offset, offset + limit);
}

export function filterInMemory(documents: readonly OrderDocument[], where: Where): OrderDocument[] {
  return documents.filter((document) =>
    Object.entries(where).every(([path, condition]) => holds(valueAt(document, path), condition)),
  );
}

function holds(value: Scalar, condition: Condition): boolean {
  if (condition === null || typeof condition !== 'object') return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  const { from, to } = condition;
  return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
}

function compareRows(a: { value: Scalar; id: string }, b: { value: Scalar; id: string }): number {
  return toRank(a.value, b.value) || toRank(a.id, b.id);
}

/** Null sorts before all values. */
function toRank(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

function valueAt(document: object, path: string): Scalar {
  return path
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | null)?.[step], document) as Scalar;
}
