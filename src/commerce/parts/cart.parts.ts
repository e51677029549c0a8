import type { NounParts } from '../../engine/area-parts.js';
import { CartTokenIssuer } from '../cart-token-issuer.js';
import { cartHandlers } from '../commands/cart.commands.js';
import { CartFieldResolver } from '../commands/cart-fields.steps.js';
import { Carts } from '../commands/carts.steps.js';
import { lineHandlers } from '../commands/line.commands.js';
import { CartLinesController } from '../http/cart-lines.controller.js';
import { CartsController } from '../http/carts.controller.js';
import { RetrieveCartHandler } from '../queries/cart.queries.js';

export const cartParts: NounParts = {
  controllers: [CartsController, CartLinesController],
  providers: [Carts, CartFieldResolver, CartTokenIssuer, ...cartHandlers, ...lineHandlers, RetrieveCartHandler],
};
