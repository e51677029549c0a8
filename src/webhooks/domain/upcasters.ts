import type { Upcasters } from '../../kernel/upcasting.js';

export const webhooksUpcasters: Upcasters = {
  'AttemptFailed@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, errorCode: null },
    meta: { ...meta, v: 2 },
  }),
};
