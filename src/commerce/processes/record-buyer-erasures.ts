import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import type { SubjectEvent } from '../../identity/domain/subject.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { ErasedBuyers } from '../commands/erased-buyers.steps.js';
import { type BuyerErasure, buyerErasureDecider } from '../domain/buyer-erasure.js';
import { buyers } from '../projections/buyers.js';

/**
 * Records that a buyer is erased, for each business: the business itself erased the buyer, or the operator erased the address
 * everywhere.
 */
@Injectable()
export class RecordBuyerErasures implements Reactor<SubjectEvent> {
  readonly name = 'record-buyer-erasures';
  readonly types = typesOf<SubjectEvent>({ SubjectForgotten: true });
  readonly needs = [buyers];

  constructor(
    private readonly streams: Streams,
    private readonly erased: ErasedBuyers,
  ) {}

  async react(event: RecordedOf<SubjectEvent>): Promise<void> {
    for (const { id: buyerId, business, _mode: mode } of await this.erased.find(event, this.name))
      await this.record({ buyerId, businessId: business.id, mode }, event);
  }

  private async record(erasure: BuyerErasure, event: RecordedOf<SubjectEvent>): Promise<void> {
    const { buyerId, businessId: business, mode } = erasure;
    const context = { ...createEventContext(event, this.name, buyerId), business, mode };
    await this.streams.execute(buyerErasureDecider, buyerId, { type: 'RecordErasure', ...erasure }, context);
  }
}
