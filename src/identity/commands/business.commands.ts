import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { business } from '../domain/business.js';
import { PlaceSteps } from '../place-steps.js';
import { businesses, type BusinessDocument } from '../projections/businesses.js';

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
    private readonly places: PlaceSteps,
  ) {}

  async execute({ context, name, ownerId }: CreateBusiness) {
    const businessId = idOf('biz', context.at, context.commandId);
    const own = { ...context, business: businessId };
    await this.places.takeForBusiness(businessId, ownerId, own);
    const outcome = await this.streams.execute(business, businessId, { type: 'CreateBusiness', businessId, name, ownerId }, own);
    return outcome.render(businesses, businessId);
  }
}
