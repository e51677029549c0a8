import { Injectable } from '@nestjs/common';
import { enqueueAfterTimeout } from '../../engine/reactors/enqueue-after-timeout.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { Checkout, findCheckout } from '../commands/checkout.steps.js';
import { cartDecider } from '../domain/cart.js';
import type { CartCheckedOut } from '../domain/cart-state.js';
import type { Sale } from '../domain/sale.js';

type SaleId = Pick<Sale, 'cartId' | 'orderId'>;

/** Finishes a checkout that a crash interrupted. It uses the same command ids, so that no step runs twice. */
@Injectable()
export class FinishCheckouts implements Reactor<CartCheckedOut>, JobHandler<SaleId> {
  readonly name = 'finish-checkouts';
  readonly types = typesOf<CartCheckedOut>({ CartCheckedOut: true });
  readonly queue = declareQueue<SaleId>({ name: 'checkouts' });
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly checkout: Checkout,
  ) {}

  async react(event: RecordedOf<CartCheckedOut>): Promise<void> {
    const { cartId, orderId } = event.data;
    const job = { key: `checkout:${orderId}`, data: { cartId, orderId } };
    await enqueueAfterTimeout(this.jobs, this.queue, job, event);
  }

  async run({ data: { cartId, orderId } }: Job<SaleId>): Promise<void> {
    const checkedOut = findCheckout(await this.streams.loadHistory(cartDecider, cartId), orderId);
    await this.checkout.run(checkedOut.data, resumeContext(checkedOut, this.name));
  }
}
