import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { discountHandlers } from '../commands/discount.commands.js';
import { Discounts } from '../commands/discounts.steps.js';
import { discountCodeClaims, discountDecider } from '../domain/discount.js';
import { DiscountsController } from '../http/discounts.controller.js';
import { discounts } from '../projections/discounts.js';

const discount = createAuditedResource('discount', discounts, ['redemptions']);

export const discountFeature: Feature = {
  streams: [auditStream(discountDecider, discount), auditStream(discountCodeClaims, nameByKey(discount, 'ownerId'))],
  projections: [discounts],
  controllers: [DiscountsController],
  providers: [Discounts, ...discountHandlers],
};
