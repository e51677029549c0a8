import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { CountedStreams } from '../../engine/read-models/counted-streams.js';
import { claimName } from '../../engine/streams/claim-name.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import {
  assertValidTerms,
  createCodeTakenRejection,
  type DiscountCode,
  discountCodeClaims,
  discountCodeIdOf,
  discountDecider,
  type DiscountTerms,
  listEarlierCodeIds,
} from '../domain/discount.js';
import { type DiscountDocument, discounts } from '../projections/discounts.js';

export class CreateDiscount extends ContextCommand<DiscountTerms, DiscountDocument> {}

@CommandHandler(CreateDiscount)
export class CreateDiscountHandler implements ICommandHandler<CreateDiscount> {
  constructor(private readonly streams: Streams) {}

  async execute({ context, params: terms }: CreateDiscount): Promise<DiscountDocument> {
    assertValidTerms(terms);
    const discountId = idOf('dsc', context.at, context.commandId);
    const discount = { discountId, businessId: requireBusiness(context), mode: context.mode, ...terms };
    const owner = { ownerId: discountId, isFree: (id: string) => this.isFree(id, context) };
    const claimCode = async () => {
      await this.assertNoneEarlier(discount, context);
      if (await claimName(this.streams, discountCodeClaims, discountCodeIdOf(discount), owner, context))
        return { type: 'CreateDiscount', discount } as const;
      throw createCodeTakenRejection();
    };
    return (await this.streams.execute(discountDecider, discountId, claimCode, context)).render(discounts, discountId);
  }

  /** @throws Rejection discount_code_taken, when an active discount of an earlier version has the code */
  private async assertNoneEarlier(discount: DiscountCode, context: Context): Promise<void> {
    for (const codeId of listEarlierCodeIds(discount)) {
      const { ownerId } = await this.streams.loadState(discountCodeClaims, codeId);
      if (ownerId !== null && !(await this.isFree(ownerId, context))) throw createCodeTakenRejection();
    }
  }

  /** Returns whether no discount has the code: its discount was deleted, or never created because of a crash. */
  private async isFree(discountId: string, context: Context): Promise<boolean> {
    const command = { type: 'AbandonDiscount', discountId } as const;
    const abandonContext = createChildContext(context, 'abandon', discountId);
    const { state } = await this.streams.execute(discountDecider, discountId, command, abandonContext);
    return state.status !== 'active';
  }
}

export class DeleteDiscount extends ContextCommand<{ id: string }, DiscountDocument> {}

@CommandHandler(DeleteDiscount)
export class DeleteDiscountHandler implements ICommandHandler<DeleteDiscount> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly counted: CountedStreams,
  ) {}

  /** Orders count the redemptions, so the discount's own stream does not have them. */
  async execute({ context, params: { id } }: DeleteDiscount): Promise<DiscountDocument> {
    const command = { type: 'DeleteDiscount', discountId: id } as const;
    const deleted = await this.streams.edit(discountDecider, discounts, id, command, context);
    return this.counted.addCounts(discounts, deleted, context);
  }
}

export const discountHandlers = [CreateDiscountHandler, DeleteDiscountHandler];
