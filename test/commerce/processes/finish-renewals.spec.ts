import { productDecider } from '../../../src/commerce/domain/product.js';
import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import type { SubscriptionEvent } from '../../../src/commerce/domain/subscription-events.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { createContext } from '../../support/jar.js';
import { crashAfter, crashAt, crashBefore } from '../../support/memory/crashes.js';
import { CheckoutFixture, createJob } from '../checkout-fixture.js';
import { monthly } from '../domain/facts.js';

const PAID = [
  'InvoiceIssued',
  'InvoiceNumberAssigned',
  'InvoicePaid',
  'PaymentStarted',
  'PaymentSucceeded',
  'RenewalStarted',
  'SaleCredited',
  'SubscriptionRenewed',
];
const DECLINED = [
  'InvoiceIssued',
  'InvoiceNumberAssigned',
  'PaymentFailed',
  'PaymentStarted',
  'RenewalFailed',
  'RenewalStarted',
];
const CANCELLED = [
  'InvoiceIssued',
  'InvoiceMarkedUncollectible',
  'InvoiceNumberAssigned',
  'PaymentFailed',
  'PaymentStarted',
  'RenewalFailed',
  'RenewalStarted',
  'SubscriptionCancelled',
];

const crashes = (
  [
    ['tok_ok', PAID],
    ['tok_fail_on_renewal', DECLINED],
    ['tok_lost_card', CANCELLED],
  ] as const
).flatMap(([token, types]) =>
  types.flatMap((_, i) => [
    { token, types, nth: i + 1, fault: crashBefore, moment: 'before' },
    { token, types, nth: i + 1, fault: crashAfter, moment: 'after' },
  ]),
);

/** A subscription whose next charge uses the token. */
async function subscribe(token: string): Promise<CheckoutFixture> {
  const fixture = new CheckoutFixture();
  const { streams, checkout } = fixture.startProcess();
  const content = { name: 'A club', description: null, metadata: {}, externalReference: null };
  const owner = { productId: 'prod_2', businessId: 'biz_1', mode: 'test' } as const;
  const create = { type: 'CreateProduct', ...owner, ...content, plans: [monthly] } as const;
  await streams.execute(productDecider, 'prod_2', create, createContext('product'));
  const isChargedAtOnce = token !== 'tok_lost_card';
  const sale = await fixture.checkOut(isChargedAtOnce ? token : 'tok_ok');
  await checkout.run(sale, createContext('checkout ord_1'));
  if (isChargedAtOnce) return fixture;
  const { subscriptionId } = fixture.findEvent<SubscriptionEvent>('SubscriptionStarted').data;
  const change = { type: 'ChangePaymentMethod', methodToken: token } as const;
  await streams.execute(subscriptionDecider, subscriptionId, change, createContext('method'));
  return fixture;
}

describe('A renewal that a crash interrupted', () => {
  it.each(crashes)(
    'is finished once with $token after a crash $moment append $nth',
    async ({ token, types, nth, fault }) => {
      const fixture = await subscribe(token);
      const [earlier, charged] = [fixture.store.log.length, fixture.gateway.charged.length];
      fixture.store.faults.push(...crashAt(nth, fault));
      await fixture.runTimer('renewal').catch(() => undefined);
      fixture.store.faults.length = 0;

      for (let run = 0; run < 2; run++) {
        await fixture.runTimer('renewal');
        await finishInterrupted(fixture);
      }

      const recorded = fixture.store.log.slice(earlier).map(({ type }) => type);
      expect(recorded.sort()).toEqual(types);
      expect(new Set(fixture.gateway.charged.slice(charged)).size).toBe(1);
    },
  );
});

describe('A renewal that ends its subscription', () => {
  it('closes the invoice within the writes that its caller reads', async () => {
    const fixture = await subscribe('tok_lost_card');
    const timer = fixture.findTimer('renewal');
    const consistency = new ConsistencyContext();
    await fixture.startProcess().timers.run(timer, timer.due, consistency);

    expect(fixture.store.log.at(-1)).toMatchObject({
      type: 'InvoiceMarkedUncollectible',
      position: consistency.lastWrite,
    });
  });
});

/** Handles the events of the renewal as after a restart. */
async function finishInterrupted(fixture: CheckoutFixture): Promise<void> {
  const { finishRenewals } = fixture.startProcess();
  const types: readonly string[] = finishRenewals.types;
  const events = fixture.store.log.filter(({ type }) => types.includes(type));
  for (const event of events as Parameters<typeof finishRenewals.react>[0][]) {
    await finishRenewals.react(event);
    if (event.type !== 'RenewalStarted') continue;
    const { subscriptionId } = event.data;
    const job = createJob({ subscriptionId, eventId: event.id });
    await finishRenewals.run(job);
  }
}
