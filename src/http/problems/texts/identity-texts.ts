import type { ProblemText } from './problem-text.js';

export const IDENTITY_TEXTS = {
  authentication_required: {
    meaning: 'The request has no `Authorization` header.',
    action: 'Send `Authorization: Bearer <token>`, with an API key, a session token or a cart token.',
    repeat: 'corrected',
  },
  invalid_credentials: {
    meaning: 'The token is misspelled, unknown or revoked, or it is a session token with an invalid signature.',
    action: 'Compare the token with the one that was issued, or create a new key.',
    repeat: 'corrected',
  },
  token_expired: {
    meaning: 'The session token or the API key has expired.',
    action: 'Get a new session token, or create a new key. A rotation before the expiry prevents this.',
    repeat: 'corrected',
  },
  read_only_key: {
    meaning: 'The request changes something, and its key (`rk_…`) can only read.',
    action: 'Use a secret key (`sk_…`).',
    repeat: 'corrected',
  },
  secret_key_required: {
    meaning: 'The operation shows a secret, so it accepts only a secret key and no session.',
    action: 'Call the operation from your server, with a secret key (`sk_…`).',
    repeat: 'corrected',
  },
  live_key_required: {
    meaning: 'The community has no test mode, and the request has a test key.',
    action: 'Use a live key (`sk_live_…` or `rk_live_…`).',
    repeat: 'corrected',
  },
  business_access_denied: {
    meaning:
      'The session names no business, or one that the user does not own; or the request has a key of another business. An unknown business has the same answer.',
    action:
      'Send `X-Service-Business-Id` with the id of a business from `GET /v1/businesses`. With a key, omit the header.',
    repeat: 'corrected',
  },
  permission_denied: {
    meaning: 'The credential is valid, but the caller may not do this. `detail` says who may.',
    action: 'Use a credential with the permission, or ask the owner for it.',
    repeat: 'afterChange',
  },
  key_ended: {
    meaning: 'A revoked or expired key cannot be rotated.',
    action: 'Create a new key.',
    repeat: 'never',
  },
  business_limit_reached: {
    meaning: 'The user owns as many businesses as the service allows: 20, unless configured otherwise.',
    action: 'Ask the operator of the service for a higher limit.',
    repeat: 'afterChange',
  },
  key_limit_reached: {
    meaning: 'The business has as many keys as the service allows: 100, unless configured otherwise.',
    action: 'Revoke keys that are not used: `last_used_at` shows them.',
    repeat: 'afterChange',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
