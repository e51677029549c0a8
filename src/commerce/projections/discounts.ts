import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import { type DocumentOf, enumOf, integer, nullable, resource, string } from '../../kernel/schema.js';
import { DISCOUNT_DURATIONS, type DiscountEvent } from '../domain/discount.js';
import type { OrderEvent } from '../domain/order.js';
import { resourceFields, toResourceValues } from './resources.js';

export const discountSchema = resource('Discount', {
  ...resourceFields('discount', 'dsc'),
  code: string,
  percent_off: integer,
  duration: enumOf(...DISCOUNT_DURATIONS),
  months: nullable(integer),
  status: enumOf('active', 'deleted'),
  redemptions: integer,
});

export interface DiscountDocument extends DocumentOf<typeof discountSchema>, Owned {}

type OrderCompleted = Extract<OrderEvent, { type: 'OrderCompleted' }>;

/** Orders that older versions completed name no discount. */
export const discounts: Projection<DiscountDocument, DiscountEvent | OrderCompleted> = {
  name: 'discounts',
  version: 2,
  counts: ['redemptions'],
  id: ({ data }) => data.discountId ?? null,
  indexes: [[...OWNER_INDEX, 'created_at']],
  totals: [OWNER_INDEX],
  on: {
    DiscountCreated: (_, event) => {
      const { discountId, code, percentOff, duration, months } = event.data;
      const terms = { code, percent_off: percentOff, duration, months };
      return { ...toResourceValues('discount', discountId, event), ...terms, status: 'active', redemptions: 0 };
    },
    DiscountDeleted: (discount) => discount && { ...discount, status: 'deleted' },
    DiscountAbandoned: (discount) => discount,
    OrderCompleted: (discount) => discount && { ...discount, redemptions: discount.redemptions + 1 },
  },
};
