import type { Upcasters } from '../../kernel/upcasting.js';

export const commerceUpcasters: Upcasters = {
  'SubscriptionStarted@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, mode: meta.mode, quantity: 1, discount: null },
    meta: { ...meta, v: 2 },
  }),
  'PlanChanged@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, invoiceId: null },
    meta: { ...meta, v: 2 },
  }),
};
