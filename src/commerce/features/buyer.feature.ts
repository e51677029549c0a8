import type { Feature } from '../../engine/feature.js';
import { Buyers } from '../buyers.js';
import { ForgetBuyerHandler } from '../commands/buyer.commands.js';
import { BuyerCharges } from '../commands/buyer-charges.steps.js';
import { OpenSales } from '../commands/buyer-sales.steps.js';
import { ForgottenBuyers } from '../commands/forgotten-buyers.steps.js';
import { BuyerProductsController } from '../http/buyer-products.controller.js';
import { BuyersController } from '../http/buyers.controller.js';
import { EndForgottenSales } from '../processes/end-forgotten-sales.js';
import { buyers } from '../projections/buyers.js';
import { ListBuyersHandler } from '../queries/buyer.queries.js';
import { BuyerFilter } from '../queries/buyer-filter.js';
import { RetrieveBuyerProductHandler } from '../queries/buyer-product.queries.js';
import { RetrievePersonalDataHandler } from '../queries/personal-data.queries.js';

export const buyerFeature: Feature = {
  projections: [buyers],
  controllers: [BuyersController, BuyerProductsController],
  providers: [
    BuyerCharges,
    OpenSales,
    ForgottenBuyers,
    Buyers,
    BuyerFilter,
    ForgetBuyerHandler,
    ListBuyersHandler,
    RetrievePersonalDataHandler,
    RetrieveBuyerProductHandler,
  ],
  reactors: [EndForgottenSales],
};
