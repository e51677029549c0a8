import {
  ChangePaymentMethod,
  ChangePaymentMethodHandler,
  ChangePlan,
  ChangePlanHandler,
  EditSubscription,
  EditSubscriptionHandler,
  ResumeSubscription,
  ResumeSubscriptionHandler,
} from '../../../src/commerce/commands/subscription.commands.js';
import { SetTestClock, SetTestClockHandler } from '../../../src/commerce/commands/test-clock.commands.js';
import type { PlanTerms } from '../../../src/commerce/domain/payment-plan.js';
import { productDecider } from '../../../src/commerce/domain/product.js';
import { products } from '../../../src/commerce/projections/products.js';
import { OwnedStreams } from '../../../src/engine/streams/owned-streams.js';
import type { CallerContext } from '../../../src/kernel/caller.js';
import { toIso } from '../../../src/kernel/clock.js';
import type { Process } from '../process.js';
import { Customers } from './customers.js';
import type { BusinessTimes } from './visitors.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const MONTH_MS = 31 * DAY_MS;
const PRICE_CENTS = 4_900;
const TOKENS = ['tok_ok', 'tok_ok', 'tok_fail_on_renewal', 'tok_pending', 'tok_timeout'];

const MONTHLY: PlanTerms = {
  kind: 'subscription',
  name: null,
  amountCents: PRICE_CENTS,
  currency: 'EUR',
  interval: 'month',
  intervalCount: 1,
  installmentsCount: null,
};
const PLANS: readonly PlanTerms[] = [
  MONTHLY,
  { ...MONTHLY, amountCents: 2 * PRICE_CENTS },
  { ...MONTHLY, amountCents: PRICE_CENTS / 2, interval: 'week', intervalCount: 2 },
];

type Edit = (process: Process, context: CallerContext) => Promise<unknown>;

/**
 * Simulated clients with subscriptions. A month passes for all processes at once, or in test mode by the test clock of
 * the business.
 */
export class Subscribers extends Customers {
  private productId: string | null = null;
  private planIds: readonly string[] = [];
  /** The time of the test clock; null before it was set. */
  private clockTime: number | null = null;
  private periods = 0;

  /** Opens the shop; its clients come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const product = await this.openShop('magazine', PLANS);
      if (product === null) return;
      [this.productId, this.planIds] = [product.id, product.planIds];
      for (let left = this.random.integer(2, 5); left > 0; left--)
        this.schedule(this.random.between(0, ms / 2), () =>
          this.buy(`subscriber-${left}`, product.id, this.pickPlan(), this.random.pick(TOKENS)),
        );
      this.act('first month', ms);
    });
  }

  /** Lets a month pass; the clients change their subscriptions within the next `ms`. */
  passMonth(ms: number): void {
    this.passTime(MONTH_MS);
    this.act(`month ${this.periods}`, ms);
  }

  passTime(ms: number): void {
    const period = `period ${++this.periods}`;
    if (this.mode === 'live') this.world.passTime(ms);
    else {
      this.clockTime = this.businessTime + ms;
      this.schedule(0, () => this.setClock(period, toIso(this.clockTime!)));
    }
  }

  get businessTimes(): BusinessTimes {
    const now = this.getTime();
    return { live: now, test: this.clockTime ?? now };
  }

  private get businessTime(): number {
    return this.businessTimes[this.mode];
  }

  private async setClock(period: string, now: string): Promise<void> {
    await this.request(`${period} set the clock to ${now}`, (process, context) =>
      process.get(SetTestClockHandler).execute(new SetTestClock(context, { now })),
    );
  }

  private act(month: string, ms: number): void {
    for (let left = this.random.integer(2, 10); left > 0; left--)
      this.schedule(this.random.between(0, ms), () => this.change(`${month} change-${left}`));
    for (let left = this.random.integer(0, 2); left > 0; left--)
      this.schedule(this.random.between(0, ms), () => this.refund(`${month} refund-${left}`, PRICE_CENTS));
  }

  private async change(name: string): Promise<void> {
    const started = this.world.stores.events.log.filter(({ type }) => type === 'SubscriptionStarted');
    if (started.length === 0) return;
    const { subscriptionId } = this.random.pick(started).data as { readonly subscriptionId: string };
    const [title, edit] = this.pickEdit(subscriptionId);
    await this.requestOrGiveUp(`${name}: ${title} ${subscriptionId}`, edit);
  }

  private pickEdit(id: string): readonly [title: string, edit: Edit] {
    const planId = this.pickPlan();
    const amountCents = this.random.integer(1, 2 * PRICE_CENTS);
    const resumesAt = this.random.chance(0.5) ? null : toIso(this.businessTime + this.random.integer(1, 40) * DAY_MS);
    const mode = this.random.pick(['at_period_end', 'at_period_end', 'immediately'] as const);
    const methodToken = this.random.pick(TOKENS);
    return this.random.pick<readonly [string, Edit]>([
      ['change the plan of', changePlan(id, planId)],
      ['change the plan of', changePlan(id, planId)],
      ['change the price of', edit(id, { type: 'ChangePrice', amountCents, currency: 'EUR' })],
      ['withdraw the change of', edit(id, { type: 'WithdrawChange' })],
      ['pause', edit(id, { type: 'PauseSubscription', resumesAt, reason: null })],
      ['resume', resume(id)],
      ['resume', resume(id)],
      ['cancel', edit(id, { type: 'CancelSubscription', mode, reason: null })],
      ['uncancel', edit(id, { type: 'RevokeCancellation' })],
      ['change the payment method of', changeMethod(id, methodToken)],
      ['archive the plan of', this.archive(planId)],
    ]);
  }

  /** The first plan is never archived. */
  private archive(planId: string): Edit {
    const id = this.productId!;
    return async (process, context) =>
      planId === this.planIds[0]
        ? undefined
        : process.get(OwnedStreams).edit(productDecider, products, id, { type: 'ArchivePlan', planId }, context);
  }

  private pickPlan(): string {
    return this.random.pick(this.planIds);
  }
}

function changePlan(id: string, planId: string): Edit {
  return (process, context) => process.get(ChangePlanHandler).execute(new ChangePlan(context, { id, planId }));
}

function edit(id: string, change: EditSubscription['params']['edit']): Edit {
  return (process, context) =>
    process.get(EditSubscriptionHandler).execute(new EditSubscription(context, { id, edit: change }));
}

function resume(id: string): Edit {
  return (process, context) => process.get(ResumeSubscriptionHandler).execute(new ResumeSubscription(context, { id }));
}

function changeMethod(id: string, methodToken: string): Edit {
  return (process, context) =>
    process.get(ChangePaymentMethodHandler).execute(new ChangePaymentMethod(context, { id, methodToken }));
}
