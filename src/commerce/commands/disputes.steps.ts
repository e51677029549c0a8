import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type DisputeCommand, type DisputeEvent } from '../domain/dispute.js';
import { paymentDecider } from '../domain/payment.js';
import { SellerBalances } from './seller-balance.steps.js';

/** Runs the steps of a dispute, which write to the streams of its payment and of the seller's balance. */
@Injectable()
export class Disputes {
  constructor(
    private readonly streams: Streams,
    private readonly balances: SellerBalances,
  ) {}

  async execute(paymentId: string, command: DisputeCommand, context: Context): Promise<void> {
    const { recorded } = await this.streams.execute(paymentDecider, paymentId, command, context);
    for (const event of recorded as RecordedOf<DisputeEvent>[]) await this.book(event, context);
  }

  /**
   * Moves the money of the event in the seller's balance, once. What a crash left unbooked of the same dispute goes
   * first: a won dispute gives back only what its opening has taken.
   */
  async book(event: RecordedOf<DisputeEvent>, context: Context): Promise<void> {
    if (event.type === 'DisputeClosed' && event.data.outcome === 'won')
      for (const earlier of await this.listEarlier(event)) await this.bookOne(earlier, context);
    await this.bookOne(event, context);
  }

  private async listEarlier({ id, data }: RecordedOf<DisputeEvent>): Promise<readonly RecordedOf<DisputeEvent>[]> {
    const history = await this.streams.loadHistory(paymentDecider, data.paymentId);
    const earlier = history.slice(
      0,
      history.findIndex((one) => one.id === id),
    );
    return earlier.filter(
      (one): one is RecordedOf<DisputeEvent> => 'disputeId' in one.data && one.data.disputeId === data.disputeId,
    );
  }

  private async bookOne(event: RecordedOf<DisputeEvent>, context: Context): Promise<void> {
    const { id: causeId, data } = event;
    const { disputeId, paymentId, businessId, currency, changeCents = 0 } = data;
    if (businessId === undefined || currency === undefined || changeCents === 0) return;
    const booking = { causeId, disputeId, paymentId, businessId, currency, changeCents };
    await this.balances.bookDispute(booking, event, createChildContext(context, causeId));
  }
}
