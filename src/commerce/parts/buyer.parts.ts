import type { NounParts } from '../../engine/area-parts.js';
import { ForgetBuyerHandler } from '../commands/buyer.commands.js';
import { Buyers } from '../commands/buyers.steps.js';
import { BuyerProductsController } from '../http/buyer-products.controller.js';
import { BuyersController } from '../http/buyers.controller.js';
import { ListBuyersHandler } from '../queries/buyer.queries.js';
import { BuyerFilter } from '../queries/buyer-filter.js';
import { RetrieveBuyerProductHandler } from '../queries/buyer-product.queries.js';
import { RetrievePersonalDataHandler } from '../queries/personal-data.queries.js';

export const buyerParts: NounParts = {
  controllers: [BuyersController, BuyerProductsController],
  providers: [
    Buyers,
    BuyerFilter,
    ForgetBuyerHandler,
    ListBuyersHandler,
    RetrievePersonalDataHandler,
    RetrieveBuyerProductHandler,
  ],
};
