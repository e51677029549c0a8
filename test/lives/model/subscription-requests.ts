import type { Plan } from './catalogue.js';
import { type Model, OK, type Outcome, refuse } from './model.js';
import type { Subscription } from './subscriptions.js';

/** The requests of a seller about a subscription. */
export class SubscriptionRequests {
  constructor(private readonly model: Model) {}

  changePlan(one: Subscription, plan: Plan): Outcome {
    const { changes } = this.model.subscriptions;
    const pending = changes.pendingOf(one);
    if (plan === one.plan && pending === undefined) return refuse(422, 'no_change');
    const isOther = plan.kind !== 'subscription' || plan.currency !== one.plan.currency;
    if (!plan.isActive || isOther) return refuse(422, 'plan_not_available');
    const refused = this.refuseChange(one);
    if (refused !== null) return refused;
    if (plan === one.plan) changes.withdraw(one);
    else if (pending?.type !== 'plan' || pending.to.plan !== plan)
      changes.schedule(one, 'plan', { plan, amount: plan.amount });
    return this.touched(one);
  }

  changePrice(one: Subscription, amount: number): Outcome {
    const { changes } = this.model.subscriptions;
    const refused = this.refuseChange(one);
    if (refused !== null) return refused;
    const pending = changes.pendingOf(one);
    if (pending?.type !== 'price' || pending.to.amount !== amount)
      changes.schedule(one, 'price', { plan: one.plan, amount });
    return this.touched(one);
  }

  withdrawChange(one: Subscription): Outcome {
    const { changes } = this.model.subscriptions;
    if (changes.pendingOf(one) === undefined) return refuse(422, 'no_pending_change');
    changes.withdraw(one);
    return this.touched(one);
  }

  pause(one: Subscription, resumesAt: string | null): Outcome {
    if (one.status !== 'active' || one.cancelAt !== null) return refuse(422, 'subscription_not_pausable');
    const { now, subscriptions } = this.model;
    Object.assign(one, { status: 'paused', pausedAt: now, resumesAt, nextBillingAt: null });
    subscriptions.changes.move(one, null);
    if (resumesAt !== null)
      this.model.schedule(resumesAt, () => {
        const isPaused = one.status === 'paused' && one.pausedAt === now && one.cancelAt === null;
        if (isPaused) subscriptions.renewals.resume(one, false);
      });
    return this.touched(one);
  }

  resume(one: Subscription): Outcome {
    if (one.status !== 'paused') return refuse(422, 'subscription_not_paused');
    if (one.cancelAt !== null) return refuse(422, 'subscription_cancelling');
    return this.model.subscriptions.renewals.resume(one, true) ? this.touched(one) : refuse(402, 'payment_failed');
  }

  cancelAtPeriodEnd(one: Subscription, reason: string | null): Outcome {
    const { subscriptions, now } = this.model;
    if (one.status === 'cancelled') return refuse(422, 'subscription_already_cancelled');
    if (one.cancelAt !== null) return OK;
    if (one.status === 'past_due' || one.periodEnd <= now) subscriptions.cancelNow(one, reason);
    else {
      subscriptions.changes.withdraw(one);
      Object.assign(one, { cancelAt: one.periodEnd, nextBillingAt: null, reason });
      subscriptions.scheduleEnd(one, one.periodEnd);
    }
    return this.touched(one);
  }

  cancelNow(one: Subscription, reason: string | null): Outcome {
    if (one.status === 'cancelled') return refuse(422, 'subscription_already_cancelled');
    this.model.subscriptions.cancelNow(one, reason ?? one.reason);
    return this.touched(one);
  }

  uncancel(one: Subscription): Outcome {
    if (one.cancelAt === null || one.status === 'cancelled') return refuse(422, 'no_scheduled_cancellation');
    Object.assign(one, { cancelAt: null, reason: null });
    if (one.status === 'active') this.model.subscriptions.renewals.scheduleNext(one);
    return this.touched(one);
  }

  changeCard(one: Subscription, token: string): Outcome {
    if (one.status === 'cancelled') return refuse(422, 'subscription_already_cancelled');
    one.token = token;
    if (one.status === 'past_due' && !this.model.subscriptions.renewals.retryNow(one))
      return refuse(402, 'payment_failed');
    return this.touched(one);
  }

  private refuseChange({ status, cancelAt }: Subscription): Outcome | null {
    if (status !== 'active') return refuse(422, 'subscription_not_active');
    return cancelAt === null ? null : refuse(422, 'subscription_cancelling');
  }

  private touched(one: Subscription): Outcome {
    this.model.touch(one.key);
    return OK;
  }
}
