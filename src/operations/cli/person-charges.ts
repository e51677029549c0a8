import type { ActiveCharges, BuyerCharges } from '../../commerce/commands/buyer-charges.steps.js';
import type { BuyerSales, CartOfBuyer } from '../../commerce/commands/buyer-sales.steps.js';
import type { Mode, RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { readLog } from './events/event-log.js';

/** The charges that a person may still get in one business and mode, and what the person can still buy with. */
export interface PersonCharges {
  readonly business: string | null;
  readonly mode: Mode;
  readonly charges: ActiveCharges;
  readonly sales: BuyerSales;
}

interface Found {
  readonly subscriptionIds: string[];
  readonly installments: { id: string; orderId: string }[];
  readonly payments: { id: string; orderId: string }[];
  readonly orderIds: string[];
  readonly carts: CartOfBuyer[];
  readonly offerIds: string[];
}

interface StartBuyer {
  readonly id: string;
  readonly email: { readonly hash: string };
}

/** The data of the first events of these nouns, and of the events that give a cart its buyer. */
interface Start {
  readonly buyer?: StartBuyer | null;
  readonly changes?: { readonly buyer?: StartBuyer | null };
  readonly cartId: string;
  readonly offerId: string;
  readonly subscriptionId: string;
  readonly installmentPlanId: string;
  readonly paymentId: string;
  readonly orderId: string;
}

const addCart = ({ carts }: Found, { cartId: id }: Start, buyerId: string) => carts.push({ id, buyerId });

/** The event that begins each noun which can charge a buyer, and what it adds. */
const STARTS: Readonly<Record<string, (found: Found, data: Start, buyerId: string) => void>> = {
  CartCreated: addCart,
  CartEdited: addCart,
  CartCheckedOut: addCart,
  OfferCreated: ({ offerIds }, { offerId }) => offerIds.push(offerId),
  SubscriptionStarted: ({ subscriptionIds }, { subscriptionId }) => subscriptionIds.push(subscriptionId),
  InstallmentPlanStarted: ({ installments }, { installmentPlanId: id, orderId }) => installments.push({ id, orderId }),
  PaymentStarted: ({ payments }, { paymentId: id, orderId }) => payments.push({ id, orderId }),
  OrderPlaced: ({ orderIds }, { orderId }) => orderIds.push(orderId),
};
const PREFIXES = ['cart-', 'offer-', 'subscription-', 'installmentPlan-', 'payment-', 'order-'];

/**
 * Reads the log once, because the read models may lag or be missing while no engine runs, and list no buyers of all
 * businesses.
 * @param hashes the keyed hashes of the addresses
 */
export async function findPersonCharges(
  hashes: ReadonlySet<string>,
  store: EventStore,
  charges: BuyerCharges,
): Promise<PersonCharges[]> {
  const owners = new Map<string, { business: string | null; mode: Mode; found: Found }>();
  for await (const event of readLog(store, { filter: { prefixes: PREFIXES } })) add(event, hashes, owners);
  const active = [...owners.values()].map(async ({ business, mode, found }) => ({
    business,
    mode,
    charges: await charges.keepActive(found),
    sales: found,
  }));
  return Promise.all(active);
}

function add(
  { type, data, meta: { business, mode } }: RecordedEvent,
  hashes: ReadonlySet<string>,
  owners: Map<string, { business: string | null; mode: Mode; found: Found }>,
): void {
  const start = data as Start;
  const buyer = start.buyer ?? start.changes?.buyer;
  if (!Object.hasOwn(STARTS, type) || !buyer || !hashes.has(buyer.email.hash)) return;
  const key = `${business} ${mode}`;
  const nothing = { subscriptionIds: [], installments: [], payments: [], orderIds: [], carts: [], offerIds: [] };
  const owner = owners.get(key) ?? { business, mode, found: nothing };
  owners.set(key, owner);
  STARTS[type]!(owner.found, start, buyer.id);
}
