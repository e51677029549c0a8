import { invoiceNumbers, type InvoiceNumbersEvent } from '../../../src/commerce/domain/invoice-numbers.js';
import { given } from '../../support/given.js';

const NOW = '2026-02-01T09:00:00.000Z';
const assigned = (count: number): InvoiceNumbersEvent => ({
  type: 'InvoiceNumberAssigned',
  data: { invoiceId: `inv_${count}`, businessId: 'biz_1', number: `2026-${String(count).padStart(6, '0')}`, at: NOW },
});
const assign = (count: number) =>
  ({ type: 'AssignInvoiceNumbers', invoiceIds: [`inv_${count}`], businessId: 'biz_1', year: 2026 }) as const;
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
  ])('give the invoice in place %i the number %s', (count, number) =>
    given(invoiceNumbers, ...history(count - 1))
      .when(assign(count))
      .then({ type: 'InvoiceNumberAssigned', data: { invoiceId: `inv_${count}`, businessId: 'biz_1', number, at: NOW } }),
  );

  it('are assigned once to an invoice', () =>
    given(invoiceNumbers, ...history(10))
      .when(assign(10))
      .nothing());
});
