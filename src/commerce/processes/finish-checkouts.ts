import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { toIso } from '../../kernel/clock.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { Checkout, findCheckout } from '../commands/checkout.steps.js';
import { cartDecider } from '../domain/cart.js';
import type { CartCheckedOut } from '../domain/cart-state.js';
import type { Sale } from '../domain/sale.js';

/** A request finishes its own checkout. After this time the process assumes that the request has crashed. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Finishes a checkout that a crash interrupted. It uses the same command ids, so that no step runs twice. */
@Injectable()
export class FinishCheckouts implements Reactor<CartCheckedOut>, JobHandler {
  readonly name = 'finish-checkouts';
  readonly types = ['CartCheckedOut'] as const;
  readonly queue = 'checkouts';
  readonly concurrency = 4;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly checkout: Checkout,
  ) {}

  async react({ data: { cartId, orderId }, meta }: RecordedOf<CartCheckedOut>): Promise<void> {
    const due = toIso(Date.parse(meta.at) + REQUEST_TIMEOUT_MS);
    await this.jobs.enqueue([{ key: `checkout:${orderId}`, queue: this.queue, due, data: { cartId, orderId } }]);
  }

  async run({ data }: Job): Promise<void> {
    const { cartId, orderId } = data as Pick<Sale, 'cartId' | 'orderId'>;
    const checkedOut = findCheckout(await this.streams.loadHistory(cartDecider, cartId), orderId);
    await this.checkout.run(checkedOut.data, resumeContext(checkedOut, this.name));
  }
}
