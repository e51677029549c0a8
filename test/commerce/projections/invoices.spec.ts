import type { InvoiceEvent } from '../../../src/commerce/domain/invoice.js';
import { invoices } from '../../../src/commerce/projections/invoices.js';
import { ada, EARLIER, NOW } from '../domain/facts.js';
import { renderRecorded } from './recorded-from.js';

const issued: InvoiceEvent = {
  type: 'InvoiceIssued',
  data: {
    invoiceId: 'inv_1',
    businessId: 'biz_1',
    number: '2026-000001',
    kind: 'renewal',
    buyer: ada,
    orderId: 'ord_1',
    subscriptionId: 'ps_1',
    lines: [],
    currency: 'EUR',
    subtotalCents: 4900,
    discountCents: 0,
    taxCents: 0,
    totalCents: 4900,
    dueAt: EARLIER,
    at: EARLIER,
  },
};
const open = {
  status: 'open',
  kind: 'renewal',
  subscription: { object: 'subscription', id: 'ps_1' },
  payment: null,
  paid_amount_cents: 0,
  issued_at: EARLIER,
  due_at: EARLIER,
  paid_at: null,
  voided_at: null,
};
const ids = { invoiceId: 'inv_1' };

describe('The document of an invoice', () => {
  it.each<readonly [string, readonly InvoiceEvent[], object]>([
    ['open', [], open],
    [
      'paid',
      [{ type: 'InvoicePaid', data: { ...ids, paymentId: 'pay_1', paidCents: 4900, at: NOW } }],
      {
        ...open,
        status: 'paid',
        payment: { object: 'payment', id: 'pay_1' },
        paid_amount_cents: 4900,
        paid_at: NOW,
      },
    ],
    ['void', [{ type: 'InvoiceVoided', data: { ...ids, at: NOW } }], { ...open, status: 'void', voided_at: NOW }],
    [
      'uncollectible',
      [{ type: 'InvoiceMarkedUncollectible', data: { ...ids, at: NOW } }],
      { ...open, status: 'uncollectible' },
    ],
  ])('shows an %s invoice', (_, events, expected) =>
    expect(renderRecorded(invoices, 'inv_1', issued, ...events)).toMatchObject(expected),
  );
});
