import { invoiceNumbersDecider, type InvoiceNumbersEvent } from '../../../src/commerce/domain/invoice-numbers.js';
import { given } from '../../support/given.js';

const NOW = '2026-02-01T09:00:00.000Z';
/** One day after every entry of the series. */
const first = { since: '2026-02-02T09:00:00.000Z', searched: 0 };
const assigned = (count: number): InvoiceNumbersEvent => ({
  type: 'InvoiceNumberAssigned',
  data: { invoiceId: `inv_${count}`, businessId: 'biz_1', number: `2026-${String(count).padStart(6, '0')}`, at: NOW },
});
const assign = (count: number) =>
  ({
    type: 'AssignInvoiceNumbers',
    invoices: [{ invoiceId: `inv_${count}`, ...first }],
    businessId: 'biz_1',
    year: 2026,
  }) as const;
const history = (count: number) => Array.from({ length: count }, (_, i) => assigned(i + 1));

describe('Invoice numbers', () => {
  it.each([
    [1, '2026-000001'],
    [9, '2026-000009'],
    [10, '2026-000010'],
    [99, '2026-000099'],
    [100, '2026-000100'],
    [1_000, '2026-001000'],
    [10_000, '2026-010000'],
  ])('assigns invoice %i of a year the number %s', (count, number) =>
    given(invoiceNumbersDecider, ...history(count - 1))
      .when(assign(count))
      .then({
        type: 'InvoiceNumberAssigned',
        data: { invoiceId: `inv_${count}`, businessId: 'biz_1', number, at: NOW },
      }),
  );

  it('assigns an invoice only one number', () =>
    given(invoiceNumbersDecider, ...history(10))
      .when(assign(10))
      .thenNothing());

  it('assigns no number when the state may have forgotten the number of the invoice', () =>
    given(invoiceNumbersDecider, ...history(501))
      .when({ ...assign(1), invoices: [{ invoiceId: 'inv_1', since: NOW, searched: 0 }] })
      .thenNothing());

  it('assigns a number after a search of the stream', () =>
    given(invoiceNumbersDecider, ...history(501))
      .when({ ...assign(502), invoices: [{ invoiceId: 'inv_502', since: NOW, searched: 1 }] })
      .then(assigned(502)));
});
