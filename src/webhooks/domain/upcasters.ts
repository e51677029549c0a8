import type { Upcasters } from '../../kernel/upcasting.js';

export const webhooksUpcasters: Upcasters = {
  'AttemptStarted@1': ({ meta, ...event }) => ({ ...event, meta: { ...meta, v: 2 } }),
  'AttemptFailed@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, errorCode: null },
    meta: { ...meta, v: 2 },
  }),
  'ReplayJobRequested@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, scope: 'failed' },
    meta: { ...meta, v: 2 },
  }),
  'PublicEventRecorded@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, sequence: 0 },
    meta: { ...meta, v: 2 },
  }),
  'PublicEventRecorded@2': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, changes: null },
    meta: { ...meta, v: 3 },
  }),
};
