import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { Buyers } from '../buyers.js';
import { ForgetBuyerHandler } from '../commands/buyer.commands.js';
import { BuyerCharges } from '../commands/buyer-charges.steps.js';
import { OpenSales } from '../commands/buyer-sales.steps.js';
import { ErasedBuyers } from '../commands/erased-buyers.steps.js';
import { ForgottenBuyers } from '../commands/forgotten-buyers.steps.js';
import { buyerErasureDecider } from '../domain/buyer-erasure.js';
import { BuyerProductsController } from '../http/buyer-products.controller.js';
import { BuyersController } from '../http/buyers.controller.js';
import { EndForgottenSales } from '../processes/end-forgotten-sales.js';
import { RecordBuyerErasures } from '../processes/record-buyer-erasures.js';
import { buyers } from '../projections/buyers.js';
import { erasedBuyers, erasedBuyerSchema } from '../projections/erased-buyers.js';
import { ListBuyersHandler } from '../queries/buyer.queries.js';
import { BuyerFilter } from '../queries/buyer-filter.js';
import { RetrieveBuyerProductHandler } from '../queries/buyer-product.queries.js';
import { RetrievePersonalDataHandler } from '../queries/personal-data.queries.js';

export const buyerFeature: Feature = {
  streams: [auditStream(buyerErasureDecider, createAuditedResource('buyer'))],
  projections: [buyers],
  publicEvents: [
    publish({
      fact: 'BuyerErased',
      type: 'buyer.erased',
      summary: 'A buyer was erased',
      description:
        'The address and the names of a buyer are erased, by the business or everywhere. Erase what you keep of the buyer.',
      projection: erasedBuyers,
      schema: erasedBuyerSchema,
      alone: true,
    }),
  ],
  controllers: [BuyersController, BuyerProductsController],
  providers: [
    BuyerCharges,
    OpenSales,
    ErasedBuyers,
    ForgottenBuyers,
    Buyers,
    BuyerFilter,
    ForgetBuyerHandler,
    ListBuyersHandler,
    RetrievePersonalDataHandler,
    RetrieveBuyerProductHandler,
  ],
  reactors: [EndForgottenSales, RecordBuyerErasures],
};
