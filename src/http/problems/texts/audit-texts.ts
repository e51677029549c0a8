import type { ProblemText } from './problem-text.js';

/** The codes of the audit area. */
export const AUDIT_TEXTS = {
  export_not_completed: {
    meaning: 'The export is still being written, so it has no file yet.',
    action: 'Read `GET /v1/audit/exports/{id}` until `status` is `completed`.',
    repeat: 'soon',
  },
  export_failed: {
    meaning: 'The recorded events do not fit the hash chain of the business, so the export has no file.',
    action: 'Inform the operator of the service, who can verify the chain.',
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
