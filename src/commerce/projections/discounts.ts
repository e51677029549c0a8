import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import { describe, type DocumentOf, enumOf, integer, nullable, resource, string } from '../../kernel/schema.js';
import { DISCOUNT_DURATIONS, type DiscountEvent } from '../domain/discount.js';
import type { OrderEvent } from '../domain/order.js';
import { resourceFields, toResourceValues } from './resources.js';

export const discountSchema = resource('Discount', {
  ...resourceFields('discount', 'dsc'),
  code: describe(string, 'The code that a buyer enters; upper and lower case are the same.', 'SPRING'),
  percent_off: describe(integer, 'The percentage by which each charge is reduced, from 1 to 100.', 20),
  duration: describe(
    enumOf(...DISCOUNT_DURATIONS),
    'The charges of a subscription or of installments that are reduced: the first one (`once`), those of some months (`repeating`), or all (`forever`).',
  ),
  months: describe(
    nullable(integer),
    'The number of months whose charges are reduced, counted from the first one; null unless the duration is `repeating`.',
  ),
  status: describe(enumOf('active', 'deleted'), 'Whether the code can be used (`active`) or no longer (`deleted`).'),
  redemptions: describe(integer, 'The number of completed orders with this discount.', 12),
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
