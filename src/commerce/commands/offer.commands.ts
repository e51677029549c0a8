import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Config } from '../../config/config.js';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../identity/caller.js';
import { idOf } from '../../kernel/ids.js';
import { offerDecider } from '../domain/offer.js';
import { type OfferDocument, offers } from '../projections/offers.js';
import { type BuyerFields, Buyers } from './buyers.steps.js';
import { Plans } from './plans.steps.js';
import { Products } from './products.steps.js';

interface NewOffer {
  readonly productId: string;
  readonly planId: string | null;
  readonly buyer: BuyerFields;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly message: string | null;
  readonly expiresAt: string | null;
  readonly send: boolean;
}

export class CreateOffer extends ContextCommand<NewOffer, OfferDocument> {}

@CommandHandler(CreateOffer)
export class CreateOfferHandler implements ICommandHandler<CreateOffer> {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
    private readonly plans: Plans,
    private readonly buyers: Buyers,
    private readonly config: Config,
  ) {}

  async execute({ context, params }: CreateOffer): Promise<OfferDocument> {
    const { productId, planId, amountCents, currency, message, expiresAt, send } = params;
    const offerId = idOf('off', context.at, context.commandId);
    const owner = { businessId: requireBusiness(context), mode: context.mode };
    const product = await this.products.requireReferenced(productId, context);
    if (planId !== null) await this.plans.requireOwnPlan(planId, owner.businessId);

    const buyer = await this.buyers.encrypt(owner, params.buyer);
    const offer = { offerId, buyer, amountCents, message, acceptUrl: `${this.config.publicUrl}/offers/${offerId}` };
    const command = { type: 'CreateOffer', offer, owner, product, planId, currency, expiresAt, send } as const;
    return (await this.streams.execute(offerDecider, offerId, command, context)).render(offers, offerId);
  }
}

/** Sends a draft, or sends an offer again. */
export class SendOffer extends ContextCommand<{ id: string; type: 'SendOffer' | 'ResendOffer' }, OfferDocument> {}

@CommandHandler(SendOffer)
export class SendOfferHandler implements ICommandHandler<SendOffer> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly products: Products,
  ) {}

  async execute({ context, params: { id, type } }: SendOffer): Promise<OfferDocument> {
    const { content } = await this.streams.require(offerDecider, id, context);
    const product = await this.products.requireProduct(content.productId);
    return this.streams.edit(offerDecider, offers, id, { type, product }, context);
  }
}

export class CancelOffer extends ContextCommand<{ id: string }, OfferDocument> {}

@CommandHandler(CancelOffer)
export class CancelOfferHandler implements ICommandHandler<CancelOffer> {
  constructor(private readonly streams: OwnedStreams) {}

  execute({ context, params: { id } }: CancelOffer): Promise<OfferDocument> {
    return this.streams.edit(offerDecider, offers, id, { type: 'CancelOffer' }, context);
  }
}

export const offerHandlers = [CreateOfferHandler, SendOfferHandler, CancelOfferHandler];
