import { invoiceDecider, type InvoiceEvent } from '../../../src/commerce/domain/invoice.js';
import {
  findNumber,
  invoiceNumbersDecider,
  type InvoiceNumbersEvent,
} from '../../../src/commerce/domain/invoice-numbers.js';
import { sellerBalanceDecider, type SellerBalanceEvent } from '../../../src/commerce/domain/seller-balance.js';
import { fold } from '../../../src/kernel/decider.js';
import { given } from '../../support/given.js';
import { ada, EARLIER, NOW } from './facts.js';

const sought = { since: NOW, searched: 0 };

describe('The invoice numbers of a year', () => {
  const assign = (invoiceId: string) =>
    ({ type: 'AssignInvoiceNumbers', invoices: [{ invoiceId, ...sought }], businessId: 'biz_1', year: 2026 }) as const;
  const assigned = (invoiceId: string, number: string): InvoiceNumbersEvent => ({
    type: 'InvoiceNumberAssigned',
    data: { invoiceId, businessId: 'biz_1', number, at: NOW },
  });
  const first = assigned('inv_1', '2026-000001');

  it('assigns numbers from one without a gap', () => {
    given(invoiceNumbersDecider).when(assign('inv_1')).then(first);
    given(invoiceNumbersDecider, first).when(assign('inv_2')).then(assigned('inv_2', '2026-000002'));
  });

  it('assigns no second number to the same invoice', () => {
    given(invoiceNumbersDecider, first).when(assign('inv_1')).thenNothing();
    expect(findNumber(fold(invoiceNumbersDecider, [first]), 'inv_1')).toBe('2026-000001');
  });
});

describe("The seller's balance", () => {
  const sale = { paymentId: 'pay_1', businessId: 'biz_1', currency: 'EUR', amountCents: 2500, feeCents: 75 };
  const credit = { type: 'CreditSales', sales: [{ sale, ...sought }] } as const;
  const credited: SellerBalanceEvent = { type: 'SaleCredited', data: { ...sale, netCents: 2425, at: NOW } };

  it('credits the net amount of a payment once', () => {
    given(sellerBalanceDecider).when(credit).then(credited);
    given(sellerBalanceDecider, credited).when(credit).thenNothing();
  });

  describe('after its state has forgotten the first sale', () => {
    const balance = (at: string) =>
      given(
        sellerBalanceDecider,
        ...Array.from({ length: 501 }, (_, i) => ({
          ...credited,
          data: { ...credited.data, paymentId: `pay_${i + 1}`, at },
        })),
      );
    const earlier = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString();
    const fresh = { ...sale, paymentId: 'pay_new' };
    const creditFresh = (since: string, searched = 0) =>
      ({ type: 'CreditSales', sales: [{ sale: fresh, since, searched }] }) as const;
    const freshCredit = { ...credited, data: { ...credited.data, paymentId: 'pay_new' } };

    it('does not credit a payment that it may have forgotten', () => {
      balance(NOW).when(credit).thenNothing();
      balance(earlier(4 * 60_000))
        .when(creditFresh(NOW))
        .thenNothing();
    });

    it('credits a payment that is newer than every forgotten payment', () =>
      balance(earlier(6 * 60_000))
        .when(creditFresh(NOW))
        .then(freshCredit));

    it('credits a payment after a search of all forgotten payments', () =>
      balance(NOW).when(creditFresh(NOW, 1)).then(freshCredit));

    it('credits the other payments of the same command', () =>
      balance(earlier(6 * 60_000))
        .when({
          type: 'CreditSales',
          sales: [{ sale, since: earlier(60 * 60_000), searched: 0 }, ...creditFresh(NOW).sales],
        })
        .then(freshCredit));
  });

  it('sums the credited net amounts', () => {
    const more: SellerBalanceEvent = { ...credited, data: { ...credited.data, paymentId: 'pay_2' } };
    expect(fold(sellerBalanceDecider, [credited, more]).amountCents).toBe(4850);
  });
});

const content = {
  invoiceId: 'inv_1',
  businessId: 'biz_1',
  number: '2026-000001',
  kind: 'sale',
  buyer: ada,
  orderId: 'ord_1',
  subscriptionId: null,
  lines: [],
  currency: 'EUR',
  subtotalCents: 2500,
  discountCents: 0,
  taxCents: 0,
  totalCents: 2500,
} as const;
const issued: InvoiceEvent = { type: 'InvoiceIssued', data: { ...content, dueAt: EARLIER, at: EARLIER } };
const paid: InvoiceEvent = {
  type: 'InvoicePaid',
  data: { invoiceId: 'inv_1', paymentId: 'pay_1', paidCents: 2500, at: EARLIER },
};

describe('The invoice of a sale', () => {
  const issue = { type: 'IssuePaidInvoice', content, paymentId: 'pay_1', at: EARLIER } as const;

  it('is issued and paid by one command, once', () => {
    given(invoiceDecider).when(issue).then(issued, paid);
    given(invoiceDecider, issued, paid).when(issue).thenNothing();
  });
});

describe('An invoice whose payment follows', () => {
  const issue = { type: 'IssueInvoice', content, at: EARLIER } as const;
  const pay = { type: 'PayInvoice', paymentId: 'pay_1', at: EARLIER } as const;
  const voided: InvoiceEvent = { type: 'InvoiceVoided', data: { invoiceId: 'inv_1', at: NOW } };
  const uncollectible: InvoiceEvent = {
    type: 'InvoiceMarkedUncollectible',
    data: { invoiceId: 'inv_1', at: NOW },
  };
  const endings = [
    ['paid', pay, paid],
    ['voided', { type: 'VoidInvoice' }, voided],
    ['marked as uncollectible', { type: 'MarkInvoiceUncollectible' }, uncollectible],
  ] as const;

  it('is issued once', () => {
    given(invoiceDecider).when(issue).then(issued);
    given(invoiceDecider, issued).when(issue).thenNothing();
  });

  it.each(endings)('is %s while it is open, and stays so', (_, command, ending) => {
    given(invoiceDecider, issued).when(command).then(ending);
    for (const [, other] of endings) given(invoiceDecider, issued, ending).when(other).thenNothing();
  });

  it('refuses its end before it is issued', () => given(invoiceDecider).when(pay).thenRejects('not_found'));
});
