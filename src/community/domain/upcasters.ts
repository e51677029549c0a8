import type { Upcasters } from '../../kernel/upcasting.js';

interface SentRow {
  readonly email: object | null;
  readonly error: { readonly code: string } | null;
}

export const communityUpcasters: Upcasters = {
  'ProgressCounted@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, awardId: null },
    meta: { ...meta, v: 2 },
  }),
  'MemberImportRequested@1': ({ data, meta, ...event }) => ({
    ...event,
    data: { ...data, rows: (data as { readonly rows: readonly SentRow[] }).rows.map(forgetText) },
    meta: { ...meta, v: 2 },
  }),
};

/** Older events hold the text of a row that is no address. */
function forgetText(row: SentRow): SentRow {
  return row.error?.code === 'invalid_email' ? { ...row, email: null } : row;
}
