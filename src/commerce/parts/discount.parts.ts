import type { NounParts } from '../../engine/area-parts.js';
import { discountHandlers } from '../commands/discount.commands.js';
import { Discounts } from '../commands/discounts.steps.js';
import { DiscountsController } from '../http/discounts.controller.js';

export const discountParts: NounParts = {
  controllers: [DiscountsController],
  providers: [Discounts, ...discountHandlers],
};
