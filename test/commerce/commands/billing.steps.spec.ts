import { Billing, type UnnumberedInvoice } from '../../../src/commerce/commands/billing.steps.js';
import { Crediting } from '../../../src/commerce/commands/crediting.steps.js';
import { InvoiceNumbering } from '../../../src/commerce/commands/invoice-numbering.steps.js';
import { invoiceDecider, type InvoiceEvent } from '../../../src/commerce/domain/invoice.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { freezeNewEvents, FREEZING } from '../../support/histories.js';
import { createContext, createEvent } from '../../support/jar.js';
import { crashBefore, succeed } from '../../support/memory/crashes.js';
import { FaultyEventStore } from '../../support/memory/faulty-event-store.js';
import { RecordingGateway } from '../checkout-fixture.js';
import { ada, NOW } from '../domain/facts.js';

const cause = {
  ...createEvent('cause', 'RenewalStarted', {}),
  data: { at: NOW },
  stream: 'subscription-ps_1',
  revision: 1,
  position: '0',
};

function createInvoice(invoiceId: string): UnnumberedInvoice {
  const totals = { subtotalCents: 4900, discountCents: 0, taxCents: 0, totalCents: 4900 };
  const references = { invoiceId, businessId: 'biz_1', orderId: 'ord_1', subscriptionId: 'ps_1' };
  return { ...references, kind: 'renewal', buyer: ada, lines: [], currency: 'EUR', ...totals };
}

describe('The invoices of a business', () => {
  function startProcess(store: FaultyEventStore) {
    const streams = new Streams(store, new ManualClock(), new SeededRandom());
    const billing = new Billing(streams, new RecordingGateway(), new InvoiceNumbering(streams), new Crediting(streams));
    return {
      streams,
      issue: (id: string) => billing.issueInvoice(createInvoice(id), cause, createContext(id)),
      billing,
    };
  }

  const numbersOf = (store: FaultyEventStore) =>
    store.log
      .filter((event): event is RecordedOf<Extract<InvoiceEvent, { type: 'InvoiceIssued' }>> => {
        return event.type === 'InvoiceIssued';
      })
      .map(({ data }) => [data.invoiceId, data.number]);

  it('keep the number of an invoice that a crash delays', async () => {
    const store = new FaultyEventStore(new ManualClock());
    store.faults.push(succeed, crashBefore);
    await expect(startProcess(store).issue('inv_1')).rejects.toThrow('crash');
    await startProcess(store).issue('inv_2');
    await startProcess(store).issue('inv_1');

    expect(numbersOf(store)).toEqual([
      ['inv_2', '2026-000002'],
      ['inv_1', '2026-000001'],
    ]);
  });

  it('do not reuse the number of a void or uncollectible invoice', async () => {
    const store = new FaultyEventStore(new ManualClock());
    const { billing, issue, streams } = startProcess(store);
    await issue('inv_1');
    await billing.closeInvoice('inv_1', { type: 'VoidInvoice' }, createContext('void'));
    await issue('inv_2');
    await billing.closeInvoice('inv_2', { type: 'MarkInvoiceUncollectible' }, createContext('uncollectible'));
    await issue('inv_3');

    expect(numbersOf(store).map(([, number]) => number)).toEqual(['2026-000001', '2026-000002', '2026-000003']);
    expect(await streams.loadState(invoiceDecider, 'inv_1')).toMatchObject({ status: 'void' });
    expect(await streams.loadState(invoiceDecider, 'inv_2')).toMatchObject({ status: 'uncollectible' });
    if (FREEZING) await freezeNewEvents(store.log);
  });
});
