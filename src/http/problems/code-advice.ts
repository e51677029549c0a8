import { type ProblemCode, statusFor } from './problem-codes.js';

/** What the caller can do about a problem, and whether the same request can be sent again. */
export interface Advice {
  readonly action: string;
  readonly repeat: string;
}

const NEVER = 'No: the same request is rejected again.';
const CHANGED = 'Not unchanged: first correct the fields that `errors` names.';
const LATER = 'Yes, after the seconds in `Retry-After`, with the same Idempotency-Key.';

const BY_STATUS: Readonly<Record<number, Advice>> = {
  400: { action: 'Correct the form of the request. The detail names the mistake.', repeat: CHANGED },
  401: { action: 'Send a valid credential: `Authorization: Bearer <token>`.', repeat: 'Yes, with a valid credential.' },
  402: { action: 'Use another payment method, or contact the buyer.', repeat: 'Yes, with another payment method.' },
  403: {
    action: 'Use a credential with this permission, or name a business that the credential may act for.',
    repeat: NEVER,
  },
  404: {
    action: 'Check the id and the path. Resources of other businesses or modes are not found either.',
    repeat: NEVER,
  },
  405: { action: 'Use one of the methods that the `Allow` header names.', repeat: NEVER },
  408: { action: 'Send the whole request without a pause.', repeat: 'Yes, with the same Idempotency-Key.' },
  409: {
    action: 'Another request is running or has changed the resource. Read the resource, then decide whether to repeat.',
    repeat: 'Yes, after a short time.',
  },
  413: { action: 'Send a smaller body: at most 1 MiB and 20,000 JSON values.', repeat: NEVER },
  414: { action: 'Send a shorter address.', repeat: NEVER },
  415: { action: 'Send `Content-Type: application/json`, in UTF-8 and without a content encoding.', repeat: CHANGED },
  417: { action: 'Leave out the `Expect` header.', repeat: CHANGED },
  422: { action: 'The request is well-formed, but a rule rejects it. The detail names the rule.', repeat: CHANGED },
  429: { action: 'Send fewer requests. The `RateLimit` headers show how many remain.', repeat: LATER },
  431: { action: 'Send fewer or shorter headers.', repeat: NEVER },
  500: {
    action: 'The error is in the service. Report the `request_id` to its operator.',
    repeat: 'Yes, with the same Idempotency-Key: completed work is not repeated.',
  },
  503: {
    action:
      'The service is overloaded, is shutting down, or cannot reach its store. The outcome of the request is unknown.',
    repeat: LATER,
  },
};

/** Advice for single codes; it overrides the advice for their status. */
const BY_CODE: Partial<Record<ProblemCode, Partial<Advice>>> = {
  idempotency_key_required: {
    action: 'Send an `Idempotency-Key` header: 1 to 255 characters that identify this request.',
  },
  invalid_json: { action: 'Send a JSON document in UTF-8, at most 32 levels deep, without U+0000 or lone surrogates.' },
  token_expired: { action: 'Get a new session token, or rotate the key before it expires.' },
  read_only_key: { action: 'Use a secret key: a read-only key cannot write.' },
  secret_key_required: { action: 'Use a secret key: sessions and read-only keys cannot do this.' },
  live_key_required: { action: 'Use a live key: the community has no test mode.' },
  business_access_denied: {
    action: 'Send `X-Service-Business-Id` with the id of a business that the user owns; with a key, omit the header.',
  },
  concurrent_update: {
    action:
      'Another request changed the resource at the same time. Read the resource again, then decide whether to repeat.',
  },
  idempotency_key_conflict: {
    action: 'The key was used for another request within the last 24 hours. Use a new key for a new request.',
    repeat: 'Only with a new Idempotency-Key.',
  },
  idempotency_key_in_progress: { action: 'Wait until the first request with this key ends.', repeat: LATER },
  operation_refused: {
    action: 'Only the port of the operators responds with this code. The detail names the obstacle.',
    repeat: 'Yes, after the obstacle is removed.',
  },
  points_already_awarded: {
    action: 'This source has already awarded different points. Name another source.',
    repeat: NEVER,
  },
  unknown_parameter: { action: 'Remove the unknown fields that `errors` names.' },
  key_ended: { action: 'Create a new key: a revoked or expired key cannot be rotated.', repeat: NEVER },
  key_limit_reached: { action: 'Revoke unused keys.', repeat: 'Yes, after a key was revoked or has expired.' },
  business_limit_reached: { action: 'Request a higher limit from the operator of the service.', repeat: NEVER },
  endpoint_limit_reached: { action: 'Delete unused endpoints.', repeat: 'Yes, after an endpoint was deleted.' },
  url_not_allowed: { action: 'Use an https URL of a public host, without a user name or a password.' },
  endpoint_disabled: { action: 'Enable the endpoint first.', repeat: 'Yes, after the endpoint is enabled.' },
  expired: { action: 'The delivery is too old to be replayed.', repeat: NEVER },
  cart_locked: { action: 'Remove the offer from the cart first, with `offer_id: null`.', repeat: NEVER },
  cart_not_open: { action: 'Create a new cart: this cart is completed or has expired.', repeat: NEVER },
};

export function adviceFor(code: ProblemCode): Advice {
  return { ...BY_STATUS[statusFor(code)]!, ...BY_CODE[code] };
}
