import type { ProblemText } from './problem-text.js';

export const AUDIT_TEXTS = {
  export_not_completed: {
    meaning: 'The export is still being written, so it has no file yet.',
    action: 'Read `GET /v1/audit/exports/{id}` until `status` is `completed`.',
    repeat: 'later',
  },
  export_failed: {
    meaning:
      'The export has no file: the recorded events do not fit the hash chain of the business, or the file is too large.',
    action:
      'Read `error` of the export. For `file_too_large`, export a shorter range; else inform the operator of the service, who can verify the chain.',
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
