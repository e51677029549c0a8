import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { businessDecider } from '../domain/business.js';
import { type BusinessDocument, businesses } from '../projections/businesses.js';
import { OwnershipQuotaSteps } from './ownership-quota.steps.js';

export class CreateBusiness extends Command<BusinessDocument> {
  constructor(
    readonly context: Context,
    readonly name: string,
    readonly ownerId: string,
  ) {
    super();
  }
}

@CommandHandler(CreateBusiness)
export class CreateBusinessHandler implements ICommandHandler<CreateBusiness> {
  constructor(
    private readonly streams: Streams,
    private readonly quota: OwnershipQuotaSteps,
  ) {}

  async execute({ context, name, ownerId }: CreateBusiness) {
    const businessId = idOf('biz', context.at, context.commandId);
    const own = { ...context, business: businessId };
    await this.quota.claimForBusiness(businessId, ownerId, own);
    const outcome = await this.streams.execute(
      businessDecider,
      businessId,
      { type: 'CreateBusiness', businessId, name, ownerId },
      own,
    );
    return outcome.render(businesses, businessId);
  }
}
