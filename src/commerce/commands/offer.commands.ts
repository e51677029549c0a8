import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Config } from '../../config/config.js';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { type BuyerFields, Buyers } from '../buyers.js';
import { type KnownOffer, offerDecider } from '../domain/offer.js';
import { findPlan } from '../domain/saleability.js';
import { type OfferDocument, offers } from '../projections/offers.js';
import { Amounts } from './amounts.steps.js';
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
    private readonly buyers: Buyers,
    private readonly amounts: Amounts,
    private readonly config: Config,
  ) {}

  async execute({ context, params }: CreateOffer): Promise<OfferDocument> {
    const { productId, planId, amountCents, currency, message, expiresAt, send } = params;
    const offerId = idOf('off', context.at, context.commandId);
    const owner = { businessId: requireBusiness(context), mode: context.mode };
    const prepare = async () => {
      const product = await this.products.requireReferenced(productId, context);
      if (planId !== null) await this.products.requireReferencedPlan(planId, context);
      const plan = findPlan(product.plans, planId);
      if (plan !== undefined)
        this.amounts.assertChargeable([{ amountCents, currency: plan.currency, param: 'amount_cents' }], context.mode);
      const buyer = await this.buyers.encrypt(owner, params.buyer);
      const offer = { offerId, buyer, amountCents, message, acceptUrl: `${this.config.publicUrl}/offers/${offerId}` };
      return { type: 'CreateOffer', offer, owner, product, planId, currency, expiresAt, send } as const;
    };
    return (await this.streams.execute(offerDecider, offerId, prepare, context)).render(offers, offerId);
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
    const findProduct = async ({ content }: KnownOffer) => ({
      type,
      product: await this.products.requireProduct(content.productId),
    });
    return this.streams.edit(offerDecider, offers, id, findProduct, context);
  }
}

export const offerHandlers = [CreateOfferHandler, SendOfferHandler];
