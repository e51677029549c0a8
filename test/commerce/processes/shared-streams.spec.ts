import { Crediting } from '../../../src/commerce/commands/crediting.js';
import { InvoiceNumbering } from '../../../src/commerce/commands/invoice-numbering.js';
import { sellerBalance, sellerBalanceId } from '../../../src/commerce/domain/seller-balance.js';
import { iso } from '../../../src/kernel/clock.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { contextOf } from '../../support/jar.js';
import { FaultyEventStore } from '../../support/memory/faulty-event-store.js';
import { Streams } from '../../../src/engine/streams/streams.js';

const MANY = 1_100;

describe('The streams that all sales of a business share', () => {
  const clock = new EagerClock();
  let store: FaultyEventStore;
  let streams: Streams;
  let numbering: InvoiceNumbering;
  let crediting: Crediting;
  beforeEach(() => {
    store = new FaultyEventStore(clock);
    streams = new Streams(store, clock, new SeededRandom());
    numbering = new InvoiceNumbering(streams);
    crediting = new Crediting(streams);
  });

  it('take the numbers of many invoices in few appends, without a gap', async () => {
    const numbers = await Promise.all(Array.from({ length: 150 }, (_, i) => number(`inv_${i}`)));

    expect(numbers.toSorted()).toEqual(Array.from({ length: 150 }, (_, i) => `2026-${String(i + 1).padStart(6, '0')}`));
    expect(store.asked.length).toBeLessThanOrEqual(3);
  });

  it('keep each event under the command of its own sale', async () => {
    await Promise.all(['inv_1', 'inv_2'].map((id) => number(id)));

    expect(store.log.map(({ meta }) => meta.commandId)).toEqual(['inv_1', 'inv_2'].map((id) => contextOf(`number ${id}`).commandId));
  });

  it('give an invoice the number that it has, although a thousand others have got theirs since', async () => {
    const paidAt = iso(clock.now());
    const before = await number('inv_late');
    await Promise.all(Array.from({ length: MANY }, (_, i) => number(`inv_${i}`)));

    expect(await number('inv_late', paidAt, 'a later run')).toBe(before);
    expect(store.log).toHaveLength(MANY + 1);
  });

  it('credit a payment once, although a thousand others have been credited since', async () => {
    const paidAt = iso(clock.now());
    await credit('pay_late');
    await Promise.all(Array.from({ length: MANY }, (_, i) => credit(`pay_${i}`)));
    await credit('pay_late', paidAt, 'a later run');

    const balance = await streams.state(sellerBalance, sellerBalanceId('biz_1', 'test', 'EUR'));
    expect(balance).toMatchObject({ amountCents: 97 * (MANY + 1), credited: MANY + 1 });
    expect(store.asked.length).toBeLessThan(MANY / 50);
  });

  function number(invoiceId: string, since: string | null = null, run = ''): Promise<string> {
    return numbering.numberOf({ invoiceId, businessId: 'biz_1', year: 2026 }, contextOf(`number ${invoiceId}${run}`), since);
  }

  function credit(paymentId: string, since: string | null = null, run = ''): Promise<void> {
    const sale = { paymentId, businessId: 'biz_1', currency: 'EUR', amountCents: 100, feeCents: 3 };
    return crediting.credit(sale, { ...contextOf(`credit ${paymentId}${run}`), mode: 'test' }, since);
  }
});
