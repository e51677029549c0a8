import { Injectable } from '@nestjs/common';
import { scopeOf } from '../../engine/encryption/personal-fields.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import type { SubjectEvent } from '../../identity/domain/subject.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type BuyerErasure, buyerErasureDecider } from '../domain/buyer-erasure.js';
import { buyers } from '../projections/buyers.js';

const PAGE = 100;

/**
 * Records that a buyer is erased, for each business: the business itself erased the buyer, or the operator erased the address
 * everywhere. An erasure everywhere by an older version does not name its buyers.
 */
@Injectable()
export class RecordBuyerErasures implements Reactor<SubjectEvent> {
  readonly name = 'record-buyer-erasures';
  readonly types = typesOf<SubjectEvent>({ SubjectForgotten: true });
  readonly needs = [buyers];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  async react(event: RecordedOf<SubjectEvent>): Promise<void> {
    const { subjectId, emailHash } = event.data;
    const { business, mode } = event.meta;
    const buyerId = scopeOf(subjectId);
    if (buyerId !== null && business !== null) await this.record({ buyerId, businessId: business, mode }, event);
    else if (emailHash !== undefined) await this.recordAll(emailHash, event);
  }

  private async recordAll(emailHash: string, event: RecordedOf<SubjectEvent>): Promise<void> {
    await this.reader.requirePosition(buyers, event.position);
    const { consistency } = createEventContext(event, this.name);
    const request = { where: { 'email.hash': emailHash }, limit: PAGE, orderBy: 'created_at' } as const;
    for await (const slice of readSlices(this.reader, buyers, request, consistency))
      for (const { id: buyerId, business, _mode: mode } of slice)
        await this.record({ buyerId, businessId: business.id, mode }, event);
  }

  private async record(erasure: BuyerErasure, event: RecordedOf<SubjectEvent>): Promise<void> {
    const { buyerId, businessId: business, mode } = erasure;
    const context = { ...createEventContext(event, this.name, buyerId), business, mode };
    await this.streams.execute(buyerErasureDecider, buyerId, { type: 'RecordErasure', ...erasure }, context);
  }
}
