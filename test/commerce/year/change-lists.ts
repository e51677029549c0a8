import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { CommerceFixture } from '../commerce-fixture.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the data of many events */

interface ExplainedChange {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amounts: readonly [from: number, to: number];
  readonly confirmedBy: string | null;
  readonly supersededBy: string | null;
  readonly failure: string | null;
}

const ENDS: Readonly<Record<string, string>> = {
  ChangeSuperseded: 'superseded',
  ChangeWithdrawn: 'withdrawn',
  ChangeFailed: 'failed',
  PlanChanged: 'applied',
  PriceChanged: 'applied',
};

/** Finds entries of a subscription's change list that its events do not explain. */
export async function findUnexplainedChanges(shop: CommerceFixture, id: string): Promise<string[]> {
  const shown = ((await shop.list(`subscriptions/${id}/changes?per_page=25`)).body.data as any[]).map(toShownChange);
  const events = await shop.service.get(Streams).loadHistory(subscriptionDecider, id);
  const explained = explainChanges(events).reverse().slice(0, shown.length);
  return JSON.stringify(shown) === JSON.stringify(explained)
    ? []
    : [`${id} shows ${JSON.stringify(shown)} but its events give ${JSON.stringify(explained)}`];
}

function toShownChange(entry: any): ExplainedChange {
  return {
    id: entry.id,
    type: entry.type,
    status: entry.status,
    amounts: [entry.from.amount_cents, entry.to.amount_cents],
    confirmedBy: entry.confirmed_by?.id ?? null,
    supersededBy: entry.superseded_by?.id ?? null,
    failure: entry.failure?.code ?? null,
  };
}

/** Returns the changes that the events describe, oldest first. */
function explainChanges(events: readonly RecordedEvent[]): ExplainedChange[] {
  const scheduled = events.filter(({ type }) => type === 'ChangeScheduled').map(({ data }) => data as any);
  return scheduled.map(({ changeId: id, kind, from, to }) => {
    const end = events.find(({ type, data }) => type in ENDS && (data as any).changeId === id);
    const ended = (end?.data ?? {}) as any;
    return {
      id,
      type: kind,
      status: end === undefined ? 'pending' : ENDS[end.type]!,
      amounts: [from.amountCents, to.amountCents],
      confirmedBy: ended.paymentId ?? null,
      supersededBy: ended.supersededBy ?? null,
      failure: ended.code ?? null,
    };
  });
}

/** Finds periods that were billed twice, or skipped while the subscription was active. */
export async function findPeriodErrors(shop: CommerceFixture, id: string): Promise<string[]> {
  const events = await shop.service.get(Streams).loadHistory(subscriptionDecider, id);
  const errors = [];
  let paidUntil: string | null = null;
  let wasPaused = false;
  for (const { type, data } of events as readonly RecordedEvent<string, any>[]) {
    if (type === 'SubscriptionStarted') paidUntil = data.nextBillingAt;
    if (type === 'SubscriptionPaused') wasPaused = true;
    if (type !== 'SubscriptionRenewed') continue;
    const follows = wasPaused ? data.periodStart >= paidUntil! : data.periodStart === paidUntil;
    if (!follows) errors.push(`${id}: the period from ${data.periodStart} follows ${paidUntil}`);
    [paidUntil, wasPaused] = [data.periodEnd, false];
  }
  return errors;
}
