import type { Upcasters } from '../../kernel/upcasting.js';

export const webhooksUpcasters: Upcasters = {
  'AttemptStarted@1': ({ meta, ...event }) => ({ ...event, meta: { ...meta, v: 2 } }),
  'AttemptFailed@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, errorCode: null },
    meta: { ...meta, v: 2 },
  }),
};
