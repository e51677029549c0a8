import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { idOf } from '../../kernel/ids.js';
import { businessDecider } from '../domain/business.js';
import { type BusinessDocument, businesses } from '../projections/businesses.js';
import { OwnershipQuotaSteps } from './ownership-quota.steps.js';

export class CreateBusiness extends ContextCommand<{ name: string; ownerId: string }, BusinessDocument> {}

@CommandHandler(CreateBusiness)
export class CreateBusinessHandler implements ICommandHandler<CreateBusiness> {
  constructor(
    private readonly streams: Streams,
    private readonly quota: OwnershipQuotaSteps,
  ) {}

  async execute({ context, params: { name, ownerId } }: CreateBusiness): Promise<BusinessDocument> {
    const businessId = idOf('biz', context.at, context.commandId);
    const own = { ...context, business: businessId };
    const claimQuota = async () => {
      await this.quota.claimForBusiness(businessId, ownerId, own);
      return { type: 'CreateBusiness', businessId, name, ownerId } as const;
    };
    const outcome = await this.streams.execute(businessDecider, businessId, claimQuota, own);
    return outcome.render(businesses, businessId);
  }
}
