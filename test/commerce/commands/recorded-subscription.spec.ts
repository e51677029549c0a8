import { type SubscriptionCommand, subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import { SUBSCRIPTION_VERSIONS } from '../../../src/commerce/domain/subscription-events.js';
import type { KnownSubscription } from '../../../src/commerce/domain/subscription-state.js';
import { subscriptions } from '../../../src/commerce/projections/subscriptions.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { freezeNewEvents, FREEZING } from '../../support/histories.js';
import { createContext } from '../../support/jar.js';
import { FaultyEventStore } from '../../support/memory/faulty-event-store.js';
import { EARLIER } from '../domain/facts.js';
import { availablePlanIds, decline, PERIOD_END, start, yearlyPlan } from '../domain/subscription-facts.js';

/** Records the commands of one subscription, each as a command of its own. */
class RecordedSubscription {
  private readonly clock = new ManualClock(Date.parse(EARLIER));
  readonly store = new FaultyEventStore(this.clock);
  private readonly streams = new Streams(this.store, this.clock, new SeededRandom());
  private commands = 0;

  async run(command: SubscriptionCommand): Promise<void> {
    const context = createContext(`command ${++this.commands}`);
    const first = await this.streams.execute(subscriptionDecider, 'ps_1', command, context);
    const revisions = this.store.log.length;
    const again = await this.streams.execute(subscriptionDecider, 'ps_1', command, context);
    expect(again.state).toEqual(first.state);
    expect(this.store.log).toHaveLength(revisions);
  }

  async state(): Promise<KnownSubscription> {
    return (await this.streams.loadState(subscriptionDecider, 'ps_1')) as KnownSubscription;
  }

  document() {
    return this.streams.loadDocument(subscriptionDecider, 'ps_1', subscriptions);
  }

  /** Starts the charge that is due at this time. */
  async charge(time: string): Promise<{ invoiceId: string; paymentId: string }> {
    await this.clock.advance(Date.parse(time) - this.clock.now());
    const { agreement, status } = await this.state();
    const attempt = agreement.attempts + 1;
    await this.run(
      status === 'paused'
        ? { type: 'ResumeSubscription', resumesAt: null, availablePlanIds }
        : { type: 'StartRenewal', periodStart: agreement.paidUntil, attempt, requested: false, availablePlanIds },
    );
    const { invoiceId, paymentId } = (await this.state()).agreement.renewal!;
    return { invoiceId, paymentId: paymentId! };
  }

  async pay(time: string): Promise<void> {
    const { invoiceId, paymentId } = await this.charge(time);
    await this.run({ type: 'RecordRenewal', invoiceId, payment: { paymentId, paidAt: time } });
  }

  async decline(time: string): Promise<void> {
    await this.run({ type: 'FailRenewal', ...(await this.charge(time)), ...decline });
  }
}

describe('The log of a subscription', () => {
  it('holds each command once', async () => {
    const subscription = new RecordedSubscription();
    const toYearly = { type: 'ChangePlan', productId: 'prod_2', plan: yearlyPlan } as const;
    const toPrice = (amountCents: number) => ({ type: 'ChangePrice', amountCents, currency: 'EUR' }) as const;
    const pause = { type: 'PauseSubscription', resumesAt: null, reason: null } as const;
    const cancel = { type: 'CancelSubscription', mode: 'at_period_end', reason: null } as const;

    await subscription.run({ type: 'StartSubscription', start });
    await subscription.run(toYearly);
    await subscription.run(toPrice(5900));
    await subscription.run(pause);
    await subscription.run({ type: 'ResumeSubscription', resumesAt: null, availablePlanIds });
    await subscription.pay(PERIOD_END);
    await subscription.run(toPrice(6900));
    await subscription.run({ type: 'WithdrawChange' });
    await subscription.run(pause);
    await subscription.decline('2026-04-01T09:00:00.000Z');
    await subscription.pay('2026-04-02T09:00:00.000Z');
    await subscription.run(toYearly);
    await subscription.decline('2026-05-02T09:00:00.000Z');
    await subscription.run({ type: 'ChangePaymentMethod', methodToken: 'tok_new' });
    await subscription.pay('2026-05-04T09:00:00.000Z');
    await subscription.run(cancel);
    await subscription.run({ type: 'RevokeCancellation' });
    await subscription.run(toPrice(7900));
    const charge = await subscription.charge('2027-05-02T09:00:00.000Z');
    await subscription.run({ type: 'FailRenewal', ...charge, ...decline, hard: true });

    expect(await subscription.document()).toMatchObject({ status: 'cancelled', cancellation_reason: 'payment_failed' });
    expect(new Set(subscription.store.log.map(({ type }) => type))).toEqual(
      new Set(Object.keys(SUBSCRIPTION_VERSIONS)),
    );
    if (FREEZING) await freezeNewEvents(subscription.store.log);
  });
});
