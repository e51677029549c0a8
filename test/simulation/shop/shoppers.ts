import { CreateCart, CreateCartHandler } from '../../../src/commerce/commands/cart.commands.js';
import { CheckOutCart, CheckOutCartHandler } from '../../../src/commerce/commands/checkout.commands.js';
import { AddLine, AddLineHandler } from '../../../src/commerce/commands/line.commands.js';
import {
  CreateProduct,
  CreateProductHandler,
  ReviewProduct,
  ReviewProductHandler,
} from '../../../src/commerce/commands/product.commands.js';
import { RefundPayment, RefundPaymentHandler } from '../../../src/commerce/commands/refund.commands.js';
import type { PlanTerms } from '../../../src/commerce/domain/payment-plan.js';
import type { CallerContext } from '../../../src/identity/caller.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import type { Process } from '../process.js';
import { START_TIME } from '../process-lifecycle.js';
import type { SimulationRandom } from '../seeded-random.js';
import type { World } from '../world.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000001';
const ACTOR = { type: 'api_key', id: 'key_1' } as const;
const CLIENT_TIMEOUT_MS = 4_000;
const MAX_RETRY_DELAY_MS = 1_000;
const MAX_ATTEMPTS = 6;
const PRICE_CENTS = 10_000;
const TOKENS = ['tok_ok', 'tok_ok', 'tok_ok', 'tok_declined', 'tok_pending', 'tok_timeout', 'tok_refund_declined'];

const ONCE: PlanTerms = {
  kind: 'one_time',
  name: null,
  amountCents: PRICE_CENTS,
  currency: 'EUR',
  interval: null,
  intervalCount: 1,
  installmentsCount: null,
};

/** A request has a response, or the client gave up. */
type Response<T> = { readonly value: T } | null;

/** Simulated clients of a shop: they buy its product and request refunds, and repeat a request without a response. */
export class Shoppers {
  private openTasks = 0;

  constructor(
    private readonly world: World,
    private readonly random: SimulationRandom,
  ) {}

  /** Opens the shop; its clients come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const productId = await this.open();
      if (productId === null) return;
      for (let left = this.random.integer(2, 6); left > 0; left--)
        this.schedule(this.random.between(0, ms / 2), () => this.visit(`visit-${left}`, productId));
      for (let left = this.random.integer(2, 6); left > 0; left--)
        this.schedule(this.random.between(ms / 6, ms), () => this.refund(`refund-${left}`));
    });
  }

  private schedule(ms: number, work: () => Promise<void>): void {
    this.openTasks++;
    this.world.timeline.after(ms, () => void work().finally(() => this.openTasks--));
  }

  /** Whether a client will send a request or waits for a response. */
  get areBusy(): boolean {
    return this.openTasks > 0;
  }

  private async open(): Promise<string | null> {
    const content = { name: 'A course', description: null, metadata: {}, externalReference: null };
    const created = await this.request('create product', (process, context) =>
      process.get(CreateProductHandler).execute(new CreateProduct(context, { content, plans: [ONCE] })),
    );
    if (created === null) return null;
    const { id } = created.value;
    const approved = await this.request('approve product', (process, context) =>
      process.get(ReviewProductHandler).execute(new ReviewProduct(context, { id, review: { type: 'ApproveProduct' } })),
    );
    return approved && id;
  }

  private async visit(name: string, productId: string): Promise<void> {
    const methodToken = this.random.pick(TOKENS);
    const buyer = { email: 'ada@example.com', name: null };
    const created = await this.request(`${name} cart`, (process, context) =>
      process.get(CreateCartHandler).execute(new CreateCart(context, { businessId: null, fields: {} })),
    );
    if (created === null) return;
    const cartId = created.value.document.id;
    const line = { cartId, productId, planId: null, quantity: 1 };
    await this.request(`${name} line`, (process, context) =>
      process.get(AddLineHandler).execute(new AddLine(context, line)),
    );
    await this.request(`${name} checkout with ${methodToken}`, (process, context) =>
      process.get(CheckOutCartHandler).execute(new CheckOutCart(context, { cartId, buyer, methodToken })),
    );
  }

  /** Requests a part, all, or more than all of a payment. */
  private async refund(name: string): Promise<void> {
    const paid = this.world.stores.events.log.filter(({ type }) => type === 'PaymentSucceeded');
    if (paid.length === 0) return;
    const { paymentId } = this.random.pick(paid).data as { readonly paymentId: string };
    const amountCents = this.random.pick([1, PRICE_CENTS / 2, PRICE_CENTS, PRICE_CENTS + 1, null]);
    const details = { paymentId, amountCents, currency: amountCents === null ? null : 'EUR', reason: null, note: null };
    await this.request(`${name} of ${amountCents}`, (process, context) =>
      process.get(RefundPaymentHandler).execute(new RefundPayment(context, details)),
    );
  }

  /** Repeats the request under its command id until it has a clear response; some requests are sent twice. */
  private async request<T>(
    name: string,
    execute: (process: Process, context: CallerContext) => Promise<T>,
  ): Promise<Response<T>> {
    const at = this.now();
    const isDoubled = this.random.chance(0.2);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const send = () => this.send(name, (process) => execute(process, createContext(name, at)));
      if (isDoubled) void send();
      const response = await send();
      if (response === 'refused') return null;
      if (response !== 'unknown') return response;
      await this.wait(this.random.between(0, MAX_RETRY_DELAY_MS));
    }
    return null;
  }

  private send<T>(
    name: string,
    execute: (process: Process) => Promise<T>,
  ): Promise<{ readonly value: T } | 'refused' | 'unknown'> {
    const process = this.world.anyProcess(this.random);
    if (process === null) return Promise.resolve('unknown');
    const { trace } = this.world;
    trace.log(`${name} → ${process.name}`);
    const executed = execute(process).then(
      (value) => ({ value }),
      (error: unknown) => {
        trace.log(`${name} got the response: ${(error as Error).message}`);
        return error instanceof Rejection && error.code !== 'concurrent_update' ? 'refused' : 'unknown';
      },
    );
    return Promise.race([executed, this.wait(CLIENT_TIMEOUT_MS).then(() => 'unknown' as const)]);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.world.timeline.after(ms, resolve));
  }

  private now(): number {
    return START_TIME + Math.floor(this.world.timeline.now);
  }
}

function createContext(name: string, at: number): CallerContext {
  return {
    commandId: uuidV5(NAMESPACE, name),
    at,
    correlationId: name,
    causationId: name,
    actor: ACTOR,
    business: 'biz_1',
    mode: 'live',
    requestId: name,
    consistency: new ConsistencyContext(),
    caller: {
      kind: 'secret_key',
      actor: ACTOR,
      business: 'biz_1',
      mode: 'live',
      user: null,
      reviewer: true,
      cart: null,
    },
  };
}
