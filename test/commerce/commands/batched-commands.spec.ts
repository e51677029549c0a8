import { Crediting } from '../../../src/commerce/commands/crediting.steps.js';
import { InvoiceNumbering } from '../../../src/commerce/commands/invoice-numbering.steps.js';
import { sellerBalanceDecider, sellerBalanceIdOf } from '../../../src/commerce/domain/seller-balance.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { toIso } from '../../../src/kernel/clock.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { createContext, createEvent } from '../../support/jar.js';
import { FaultyEventStore } from '../../support/memory/faulty-event-store.js';

const MANY = 550;

describe('A stream that all sales of a business share', () => {
  const clock = new EagerClock();
  let store: FaultyEventStore;
  let streams: Streams;
  let numbering: InvoiceNumbering;
  let crediting: Crediting;
  /** The event that causes all sales. */
  let paid: RecordedEvent;
  beforeEach(async () => {
    store = new FaultyEventStore(clock);
    streams = new Streams(store, clock, new SeededRandom());
    numbering = new InvoiceNumbering(streams);
    crediting = new Crediting(streams);
    await pay('payment-1');
    store.requestedAppends.length = 0;
  });

  it('records the numbers of many invoices in few appends without a gap', async () => {
    const numbers = await Promise.all(Array.from({ length: 150 }, (_, i) => assignNumber(`inv_${i}`)));

    expect(numbers.toSorted()).toEqual(Array.from({ length: 150 }, (_, i) => `2026-${String(i + 1).padStart(6, '0')}`));
    expect(store.requestedAppends.length).toBeLessThanOrEqual(3);
  });

  it('records each event with the command id of its own sale', async () => {
    await Promise.all(['inv_1', 'inv_2'].map((id) => assignNumber(id)));

    expect(store.log.slice(1).map(({ meta }) => meta.commandId)).toEqual(
      ['inv_1', 'inv_2'].map((id) => createContext(`number ${id}`).commandId),
    );
  });

  it('returns the number of an invoice after many newer numbers', async () => {
    const before = await assignNumber('inv_late');
    await Promise.all(Array.from({ length: MANY }, (_, i) => assignNumber(`inv_${i}`)));

    expect(await assignNumber('inv_late', 'a later run')).toBe(before);
    expect(store.log).toHaveLength(MANY + 2);
  });

  it('credits a payment once, also after many newer credits', async () => {
    await credit('pay_late');
    await Promise.all(Array.from({ length: MANY }, (_, i) => credit(`pay_${i}`)));
    await credit('pay_late', 'a later run');

    const balance = await streams.loadState(sellerBalanceDecider, sellerBalanceIdOf('biz_1', 'test', 'EUR'));
    expect(balance).toMatchObject({ amountCents: 97 * (MANY + 1), entries: MANY + 1 });
    expect(store.requestedAppends.length).toBeLessThan(MANY / 50);
  });

  it('is searched only back to the payment, and not when the state remembers all newer entries', async () => {
    const readBackwards = countBackwardReads();
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
    await store.append(stream, 'none', [createEvent(stream, 'PaymentSucceeded', {}, toIso(clock.now()))]);
    paid = store.log.at(-1)!;
  }

  /** Returns a function that counts the events read backwards since this call. */
  function countBackwardReads(): () => number {
    let events = 0;
    const read = store.readStream.bind(store);
    store.readStream = async function* (stream, options) {
      const page: RecordedEvent[] = [];
      for await (const event of read(stream, options)) page.push(event);
      if (options?.backwards) events += page.length;
      yield* page;
    };
    return () => events;
  }

  function assignNumber(invoiceId: string, run = ''): Promise<string> {
    return numbering.assignNumber(
      { invoiceId, businessId: 'biz_1', year: 2026 },
      createContext(`number ${invoiceId}${run}`),
      paid,
    );
  }

  function credit(paymentId: string, run = ''): Promise<void> {
    const sale = { paymentId, businessId: 'biz_1', currency: 'EUR', amountCents: 100, feeCents: 3 };
    return crediting.credit(sale, { ...createContext(`credit ${paymentId}${run}`), mode: 'test' }, paid);
  }
});
