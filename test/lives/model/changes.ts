import type { Plan } from './catalogue.js';
import type { Model } from './model.js';
import type { Subscription } from './subscriptions.js';
import { type Fields, nameOf, refer, SOME_TEXT } from './template.js';

export interface Terms {
  readonly plan: Plan;
  readonly amount: number;
}

export interface Change {
  readonly key: string;
  readonly type: 'plan' | 'price';
  readonly from: Terms;
  readonly to: Terms;
  readonly createdAt: string;
  effectiveAt: string | null;
  status: 'pending' | 'applied' | 'superseded' | 'withdrawn' | 'failed';
  confirmedBy: string | null;
  confirmedAt: string | null;
  supersededBy: string | null;
  failure: { readonly code: string; readonly at: string } | null;
}

/** Changes of the price or plan of a subscription: one is pending at a time. */
export class Changes {
  constructor(private readonly model: Model) {}

  schedule(subscription: Subscription, type: Change['type'], to: Terms): void {
    const { plan, amount, changes, nextBillingAt } = subscription;
    const change: Change = {
      ...{ key: this.model.newKey('psc'), type, from: { plan, amount }, to, createdAt: this.model.now },
      ...{ effectiveAt: nextBillingAt, status: 'pending', confirmedBy: null, confirmedAt: null },
      ...{ supersededBy: null, failure: null },
    };
    const old = this.pendingOf(subscription);
    if (old !== undefined) Object.assign(old, { status: 'superseded', supersededBy: change.key });
    changes.push(change);
  }

  pendingOf({ changes }: Subscription): Change | undefined {
    return changes.find(({ status }) => status === 'pending');
  }

  withdraw(subscription: Subscription): void {
    const pending = this.pendingOf(subscription);
    if (pending !== undefined) pending.status = 'withdrawn';
  }

  fail(subscription: Subscription, code: string): void {
    const pending = this.pendingOf(subscription);
    if (pending !== undefined) Object.assign(pending, { status: 'failed', failure: { code, at: this.model.now } });
  }

  /** A charge before its time, after a change of the card, applies the change early. */
  apply(subscription: Subscription, payment: string): void {
    const pending = this.pendingOf(subscription);
    if (pending === undefined) return;
    const { now } = this.model;
    const effectiveAt = pending.effectiveAt !== null && pending.effectiveAt < now ? pending.effectiveAt : now;
    Object.assign(pending, { status: 'applied', effectiveAt, confirmedBy: payment, confirmedAt: now });
    Object.assign(subscription, pending.to);
  }

  move(subscription: Subscription, effectiveAt: string | null): void {
    const pending = this.pendingOf(subscription);
    if (pending !== undefined) pending.effectiveAt = effectiveAt;
  }

  renderPending(change: Change | undefined): Fields | null {
    if (change === undefined) return null;
    const { plan, amount } = change.to;
    return {
      id: nameOf(change.key),
      type: change.type,
      plan: change.type === 'plan' ? refer('payment_plan', plan.key) : null,
      amount_cents: amount,
      currency: plan.currency,
      effective_at: change.effectiveAt,
      created_at: change.createdAt,
    };
  }

  render(change: Change): Fields {
    const failure: Fields =
      change.failure === null
        ? {}
        : { failure: { code: change.failure.code, detail: SOME_TEXT, failed_at: change.failure.at } };
    return {
      id: nameOf(change.key),
      object: 'subscription_change',
      type: change.type,
      status: change.status,
      from: renderTerms(change.from),
      to: renderTerms(change.to),
      created_at: change.createdAt,
      effective_at: change.effectiveAt,
      effective_confirmed_at: change.confirmedAt,
      confirmed_by: refer('payment', change.confirmedBy),
      superseded_by: refer('subscription_change', change.supersededBy),
      requested_by: { type: 'api_key', id: nameOf('key') },
      ...failure,
    };
  }
}

function renderTerms({ plan, amount }: Terms): Fields {
  return {
    plan: refer('payment_plan', plan.key),
    amount_cents: amount,
    currency: plan.currency,
    interval: plan.interval,
    interval_count: plan.count,
  };
}
