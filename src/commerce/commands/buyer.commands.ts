import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { scopedSubjectOfBox } from '../../engine/encryption/personal-fields.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Subjects } from '../../identity/subjects.js';
import { requireOwned } from '../../kernel/ownership.js';
import { type BuyerDocument, buyers } from '../projections/buyers.js';

export class ForgetBuyer extends ContextCommand<{ id: string }, BuyerDocument> {}

/**
 * Forgets the buyer of this business. The address stays known to other businesses and to the service, because another
 * key protects it there.
 */
@CommandHandler(ForgetBuyer)
export class ForgetBuyerHandler implements ICommandHandler<ForgetBuyer> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly subjects: Subjects,
  ) {}

  async execute({ context, params: { id } }: ForgetBuyer): Promise<BuyerDocument> {
    const buyer = requireOwned(await this.reader.get(buyers, id, context.consistency), context);
    await this.subjects.forget(scopedSubjectOfBox(buyer.email, buyer.id), context);
    return buyer;
  }
}
