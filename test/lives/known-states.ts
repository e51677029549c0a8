import { listListings } from './listings.js';
import type { Fields } from './model/template.js';
import type { World } from './world/world.js';

/** Changes that are no public event of the resource that shows them. */
const UNTOLD: readonly RegExp[] = [
  // A refund is an event of its own.
  /^event of (ord|pay|inv):\d+\.(refund_status|refunded_amount_cents|refundable_amount_cents)\b/,
  // A later payment of an order is an event of its own.
  /^event of ord:\d+\.(payments|installments)\b/,
  /^event of pay:\d+\.cash_flow_at\b/,
  // The retries of a failed renewal, and the end of a change that the customer withdrew.
  /^event of ps:\d+\.(next_billing_at|pending_change)\b/,
  /^event of inv:\d+\.status is "open", expected "uncollectible"/,
  /^event of prod:\d+\.(name|plans|revision|reviewed_revision|updated_at|reviewed_at|status)\b/,
  /^event of (prod|invt|com|mem|po|buy)\b/,
];

export interface PublicEvent {
  readonly id: string;
  readonly sequence: number;
  readonly data: { readonly id?: string };
}

/** The state of each resource, from the event with the greatest `sequence`. The events can arrive in any order. */
export class KnownStates {
  private readonly latest = new Map<string, PublicEvent>();

  remember(event: PublicEvent): void {
    const { id } = event.data;
    if (id !== undefined && event.sequence > (this.latest.get(id)?.sequence ?? 0)) this.latest.set(id, event);
  }

  clear(): void {
    this.latest.clear();
  }

  /** Compares the known states with the model. */
  findDifferences(world: World): string[] {
    return listListings(world).flatMap(({ items }) =>
      items.flatMap((item) => this.compare(world, item.key, item.render)),
    );
  }

  private compare({ names }: World, key: string, render: () => Fields): string[] {
    const known = names.has(key) ? this.latest.get(names.idOf(key)) : undefined;
    const expected = render();
    // A payment or refund is an event when it has ended.
    if (known === undefined && expected.status === 'pending') return [];
    const differences =
      known === undefined
        ? [`event of ${key}: no event shows it`]
        : names.compare(expected, known.data, `event of ${key}`);
    return differences.filter((one) => !UNTOLD.some((untold) => untold.test(one)));
  }
}
