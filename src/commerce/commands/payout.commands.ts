import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { BusinessClock } from '../../kernel/business-clock.js';
import { requireBusiness } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { type PayoutDocument, payouts } from '../projections/payouts.js';
import { SellerBalances } from './seller-balance.steps.js';

export class PayOut extends ContextCommand<
  { readonly amountCents: number; readonly currency: string },
  PayoutDocument
> {}

@CommandHandler(PayOut)
export class PayOutHandler implements ICommandHandler<PayOut> {
  constructor(
    private readonly balances: SellerBalances,
    private readonly clock: BusinessClock,
  ) {}

  async execute({ context, params }: PayOut): Promise<PayoutDocument> {
    const payoutId = idOf('po', context.at, context.commandId);
    const paidAt = await this.clock.now(context);
    const payout = { payoutId, businessId: requireBusiness(context), ...params, paidAt };
    return render(payouts, payoutId, [await this.balances.payOut(payout, context)]);
  }
}
