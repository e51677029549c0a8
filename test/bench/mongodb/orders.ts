import type { Row } from '../../../src/kernel/read-models.js';

export const PAGE = 25;
const FIRST_AT = Date.parse('2026-02-01T09:00:00.000Z');
const NOTE = 'x'.repeat(100);

export interface Order {
  readonly id: string;
  readonly created_at: string;
  readonly business: { readonly id: string };
}

/** Returns a page of saved documents: they exist when this function returned the same page before. */
export function createPage(page: number, position: number): Row<Order>[] {
  return Array.from({ length: PAGE }, (_, n) => createRow(page * PAGE + n, position));
}

/** Creates a document with as many fields as a typical one of the service. */
function createRow(n: number, position: number): Row<Order> {
  const id = `ord_01kc3${String(n).padStart(21, '0')}`;
  const created_at = new Date(FIRST_AT + n).toISOString();
  const lines = [1, 2, 3].map((line) => ({ id: `${id}-${line}`, title: NOTE, quantity: line, amount_cents: n }));
  const document = {
    id,
    business: { id: 'biz_01kc3ywtm0q3b7d1v4n9x2z5ah', name: 'Acme' },
    buyer: { id: 'buy_01kc3ywtm0q3b7d1v4n9x2z5ah', email: null, name: NOTE },
    _mode: 'live',
    status: 'open',
    amount_cents: 3 * n,
    currency: 'EUR',
    lines,
    metadata: { source: 'bench', note: NOTE },
    created_at,
    updated_at: created_at,
    closed_at: null,
  };
  return { id, position: String(position).padStart(19, '0'), document };
}
