import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { CartBuyers } from '../cart-buyers.js';
import { CartTokenIssuer } from '../cart-token-issuer.js';
import { cartHandlers } from '../commands/cart.commands.js';
import { CartFieldResolver } from '../commands/cart-fields.steps.js';
import { Carts } from '../commands/carts.steps.js';
import { lineHandlers } from '../commands/line.commands.js';
import { cartDecider } from '../domain/cart.js';
import { FailureCounts } from '../failure-counts.js';
import { CartLinesController } from '../http/cart-lines.controller.js';
import { CartsController } from '../http/carts.controller.js';
import { carts } from '../projections/carts.js';
import { RetrieveCartHandler } from '../queries/cart.queries.js';

export const cartFeature: Feature = {
  streams: [auditStream(cartDecider, createAuditedResource('cart', carts))],
  projections: [carts],
  controllers: [CartsController, CartLinesController],
  providers: [
    Carts,
    CartFieldResolver,
    CartBuyers,
    FailureCounts,
    CartTokenIssuer,
    ...cartHandlers,
    ...lineHandlers,
    RetrieveCartHandler,
  ],
};
