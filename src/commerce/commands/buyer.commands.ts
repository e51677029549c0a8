import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { scopedSubjectOfBox } from '../../engine/encryption/subject-names.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Subjects } from '../../identity/subjects.js';
import { requireOwned } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { type BuyerDocument, buyers } from '../projections/buyers.js';
import { type ActiveCharges, BuyerCharges, describeCharges } from './buyer-charges.steps.js';
import { OpenSales } from './buyer-sales.steps.js';

/** A problem document has at most this many items. */
const MAX_ERRORS = 100;

export class ForgetBuyer extends ContextCommand<{ id: string; endCharges: boolean }, BuyerDocument> {}

/**
 * Forgets the buyer of this business, whose open carts and offers end. The address stays known to other businesses and
 * to the service, because another key protects it there. `end-forgotten-sales` ends what a checkout starts at
 * the same time.
 */
@CommandHandler(ForgetBuyer)
export class ForgetBuyerHandler implements ICommandHandler<ForgetBuyer> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly subjects: Subjects,
    private readonly charges: BuyerCharges,
    private readonly sales: OpenSales,
  ) {}

  /** @throws Rejection buyer_has_active_charges unless the call ends them; also for a payment that nobody can stop */
  async execute({ context, params: { id, endCharges } }: ForgetBuyer): Promise<BuyerDocument> {
    const buyer = requireOwned(await this.reader.get(buyers, id, context.consistency), context);
    const found = await this.charges.find(buyer.id, context);
    assertNone(endCharges ? await this.charges.end(found, context) : found);
    await this.sales.end(await this.sales.find(buyer.id, context), context);
    await this.subjects.forget(scopedSubjectOfBox(buyer.email, buyer.id), context);
    return buyer;
  }
}

function assertNone(charges: ActiveCharges): void {
  const names = describeCharges(charges);
  if (names.length === 0) return;
  const code = 'buyer_has_active_charges';
  const errors = names.slice(0, MAX_ERRORS).map((detail) => ({ code, detail, param: 'end_charges' }));
  throw Rejection.of(code, `${names.length} subscriptions, orders or payments may still charge the buyer.`, errors);
}
