import { Injectable } from '@nestjs/common';
import { scopedSubjectOfBox, unscope } from '../../engine/encryption/subject-names.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { SubjectEvent } from '../../identity/domain/subject.js';
import { createEventContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type BuyerDocument, buyers } from '../projections/buyers.js';

/** More businesses and modes of one person are not expected. */
const MAX_BUYERS = 10_000;

/** Finds the buyers whom an erasure concerns: the one of a business, or those with the address in every business. */
@Injectable()
export class ErasedBuyers {
  constructor(private readonly reader: ReadModelReader) {}

  /** @param reactor the name of the reactor that asks */
  async find(event: RecordedOf<SubjectEvent>, reactor: string): Promise<readonly BuyerDocument[]> {
    const { subjectId } = event.data;
    await this.reader.requirePosition(buyers, event.position);
    const { consistency } = createEventContext(event, reactor);
    const found = await this.reader.find(buyers, { _address: unscope(subjectId) }, MAX_BUYERS, consistency);
    return found.filter((buyer) => isOf(buyer, subjectId));
  }
}

/** Whether the subject is that of the buyer, or of the address in all businesses. */
function isOf({ id, email, _address }: BuyerDocument, subjectId: string): boolean {
  return subjectId === _address || subjectId === scopedSubjectOfBox(email, id);
}
