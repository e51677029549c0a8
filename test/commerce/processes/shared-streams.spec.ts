import { Crediting } from '../../../src/commerce/commands/crediting.js';
import { InvoiceNumbering } from '../../../src/commerce/commands/invoice-numbering.js';
import { sellerBalance, sellerBalanceId } from '../../../src/commerce/domain/seller-balance.js';
import { iso } from '../../../src/kernel/clock.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { contextOf, happened } from '../../support/jar.js';
import { FaultyEventStore } from '../../support/memory/faulty-event-store.js';
import { Streams } from '../../../src/engine/streams/streams.js';

const MANY = 1_100;

describe('A stream that all sales of a business share', () => {
  const clock = new EagerClock();
  let store: FaultyEventStore;
  let streams: Streams;
  let numbering: InvoiceNumbering;
  let crediting: Crediting;
  /** The event that causes all sales. */
  let paid: Recorded;
  beforeEach(async () => {
    store = new FaultyEventStore(clock);
    streams = new Streams(store, clock, new SeededRandom());
    numbering = new InvoiceNumbering(streams);
    crediting = new Crediting(streams);
    await pay('payment-1');
    store.asked.length = 0;
  });

  it('records the numbers of many invoices in few appends without a gap', async () => {
    const numbers = await Promise.all(Array.from({ length: 150 }, (_, i) => number(`inv_${i}`)));

    expect(numbers.toSorted()).toEqual(Array.from({ length: 150 }, (_, i) => `2026-${String(i + 1).padStart(6, '0')}`));
    expect(store.asked.length).toBeLessThanOrEqual(3);
  });

  it('records each event with the command id of its own sale', async () => {
    await Promise.all(['inv_1', 'inv_2'].map((id) => number(id)));

    expect(store.log.slice(1).map(({ meta }) => meta.commandId)).toEqual(
      ['inv_1', 'inv_2'].map((id) => contextOf(`number ${id}`).commandId),
    );
  });

  it('returns the number of an invoice after a thousand newer numbers', async () => {
    const before = await number('inv_late');
    await Promise.all(Array.from({ length: MANY }, (_, i) => number(`inv_${i}`)));

    expect(await number('inv_late', 'a later run')).toBe(before);
    expect(store.log).toHaveLength(MANY + 2);
  });

  it('credits a payment once, also after a thousand newer credits', async () => {
    await credit('pay_late');
    await Promise.all(Array.from({ length: MANY }, (_, i) => credit(`pay_${i}`)));
    await credit('pay_late', 'a later run');

    const balance = await streams.state(sellerBalance, sellerBalanceId('biz_1', 'test', 'EUR'));
    expect(balance).toMatchObject({ amountCents: 97 * (MANY + 1), credited: MANY + 1 });
    expect(store.asked.length).toBeLessThan(MANY / 50);
  });

  it('is searched only back to the payment, and not when the state remembers all newer entries', async () => {
    const readBackwards = countedBackwards();
    await Promise.all(Array.from({ length: MANY }, (_, i) => credit(`pay_${i}`)));
    await pay('payment-2');
    await credit('pay_at_once');
    const asked = readBackwards();
    expect(asked).toBeLessThan(MANY / 10);

    await clock.advance(60 * 60_000);
    await pay('payment-3');
    await credit('pay_later');
    expect(readBackwards()).toBe(asked);
  });

  async function pay(stream: string): Promise<void> {
    await store.append(stream, 'none', [happened(stream, 'PaymentSucceeded', {}, iso(clock.now()))]);
    paid = store.log.at(-1)!;
  }

  /** Returns a function that counts the events read backwards since this call. */
  function countedBackwards(): () => number {
    let events = 0;
    const read = store.readStream.bind(store);
    store.readStream = async function* (stream, options) {
      const page: Recorded[] = [];
      for await (const event of read(stream, options)) page.push(event);
      if (options?.backwards) events += page.length;
      yield* page;
    };
    return () => events;
  }

  function number(invoiceId: string, run = ''): Promise<string> {
    return numbering.numberOf({ invoiceId, businessId: 'biz_1', year: 2026 }, contextOf(`number ${invoiceId}${run}`), paid);
  }

  function credit(paymentId: string, run = ''): Promise<void> {
    const sale = { paymentId, businessId: 'biz_1', currency: 'EUR', amountCents: 100, feeCents: 3 };
    return crediting.credit(sale, { ...contextOf(`credit ${paymentId}${run}`), mode: 'test' }, paid);
  }
});
