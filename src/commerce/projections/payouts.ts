import { declareLists, type Owned } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import { currency, describe, type DocumentOf, enumOf, resource } from '../../kernel/schema.js';
import type { SellerBalanceEvent } from '../domain/seller-balance.js';
import { centsSchema, resourceFields, toResourceValues } from './resources.js';

export const payoutSchema = resource('Payout', {
  ...resourceFields('payout', 'po'),
  status: describe(enumOf('paid'), 'Always `paid`.'),
  amount_cents: describe(centsSchema, 'The amount that the seller is paid, in cents.'),
  currency,
});

export interface PayoutDocument extends DocumentOf<typeof payoutSchema>, Owned {}

type PayoutPaid = Extract<SellerBalanceEvent, { type: 'PayoutPaid' }>;

export const payouts: Projection<PayoutDocument, PayoutPaid> = {
  name: 'payouts',
  version: 1,
  id: ({ data }) => data.payoutId,
  ...declareLists([[]]),
  on: {
    PayoutPaid: (_, event) => {
      const { payoutId, businessId, amountCents, currency, paidAt } = event.data;
      const values = toResourceValues('payout', payoutId, { ...event, data: { businessId, at: paidAt } });
      return { ...values, status: 'paid', amount_cents: amountCents, currency };
    },
  },
};
