import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { addCounts, publish } from '../../kernel/public-event-definition.js';
import { discountHandlers } from '../commands/discount.commands.js';
import { Discounts } from '../commands/discounts.steps.js';
import { discountCodeClaims, discountDecider } from '../domain/discount.js';
import { DiscountsController } from '../http/discounts.controller.js';
import { discounts, discountSchema } from '../projections/discounts.js';

const discount = createAuditedResource('discount', discounts, ['redemptions']);

export const discountFeature: Feature = {
  streams: [auditStream(discountDecider, discount), auditStream(discountCodeClaims, nameByKey(discount, 'ownerId'))],
  projections: [discounts],
  publicEvents: [
    publish({
      fact: 'DiscountCreated',
      type: 'discount.created',
      summary: 'A discount was created',
      description: 'A business created a discount code.',
      projection: discounts,
      schema: discountSchema,
    }),
    publish({
      fact: 'DiscountDeleted',
      type: 'discount.deleted',
      summary: 'A discount was deleted',
      description: 'A discount code can no longer be used.',
      projection: discounts,
      schema: discountSchema,
      complete: addCounts(discounts),
    }),
  ],
  controllers: [DiscountsController],
  providers: [Discounts, ...discountHandlers],
};
