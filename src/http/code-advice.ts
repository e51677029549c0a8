import { statusOf, type Code } from './codes.js';

/** What to do about a refusal, and whether the same request can be sent again. */
export interface Advice {
  readonly action: string;
  readonly repeat: string;
}

const NEVER = 'No: the same request is refused again.';
const CHANGED = 'Not as it is: change what `errors` names first.';
const LATER = 'Yes, after the seconds of `Retry-After`. Send the same Idempotency-Key.';

const BY_STATUS: Readonly<Record<number, Advice>> = {
  400: { action: 'Correct what the detail names. It lies in the form of the request.', repeat: CHANGED },
  401: { action: 'Send a valid credential: `Authorization: Bearer <token>`.', repeat: 'Yes, with a valid credential.' },
  402: { action: 'Use another payment method, or ask the buyer.', repeat: 'Yes, with another payment method.' },
  403: { action: 'Use a credential that may do this, or name a business that it may act for.', repeat: NEVER },
  404: { action: 'Check the id and the path. A resource of another business or mode is not found either.', repeat: NEVER },
  405: { action: 'Use one of the methods that the `Allow` header names.', repeat: NEVER },
  408: { action: 'Send the whole request without a pause.', repeat: 'Yes, with the same Idempotency-Key.' },
  409: { action: 'Something else is under way or has changed at the same time.', repeat: 'Yes, after a short time.' },
  413: { action: 'Send less: a body has at most 1 MiB and 20,000 JSON values.', repeat: NEVER },
  414: { action: 'Send a shorter address.', repeat: NEVER },
  415: { action: 'Send `Content-Type: application/json`, in UTF-8 and without a content encoding.', repeat: CHANGED },
  417: { action: 'Leave out the `Expect` header.', repeat: CHANGED },
  422: { action: 'The request was understood, and a rule refuses it. The detail says which.', repeat: CHANGED },
  429: { action: 'Send fewer requests. The `RateLimit` headers say how many are left.', repeat: LATER },
  431: { action: 'Send fewer or shorter headers.', repeat: NEVER },
  500: {
    action: 'The fault is in the service. Tell its operator the `request_id`.',
    repeat: 'Yes, with the same Idempotency-Key: what was done is not done twice.',
  },
  503: { action: 'The service is busy, closing or without its store. Whether the request was done is not known.', repeat: LATER },
};

/** Codes about which more is known than what their status says. */
const BY_CODE: Partial<Record<Code, Partial<Advice>>> = {
  idempotency_key_required: { action: 'Send an `Idempotency-Key` header: 1 to 255 characters that name this one request.' },
  invalid_json: { action: 'Send a JSON document in UTF-8, at most 32 levels deep, without U+0000 and lone surrogates.' },
  token_expired: { action: 'Get a new session token, or rotate the key before it expires.' },
  read_only_key: { action: 'Use a secret key: a read-only key reads alone.' },
  secret_key_required: { action: 'Use a secret key: sessions and read-only keys cannot do this.' },
  live_key_required: { action: 'Use a live key: the community has no test mode.' },
  business_access_denied: {
    action: 'Send `X-Service-Business-Id` with the id of a business that the user owns; beside a key, leave it out.',
  },
  concurrent_update: { action: 'Somebody else changed the resource at the same time. Read it again, and decide anew.' },
  idempotency_key_conflict: {
    action: 'The key was used for another request within the last 24 hours. Use a new key for a new request.',
    repeat: 'Only with a new Idempotency-Key.',
  },
  idempotency_key_in_progress: { action: 'Wait for the first request under this key to end.', repeat: LATER },
  points_already_awarded: { action: 'This source has awarded other points. Name another source.', repeat: NEVER },
  unknown_parameter: { action: 'Leave out the fields that `errors` names: there are none of these names.' },
  key_ended: { action: 'Create a new key: a revoked or expired one cannot be rotated.', repeat: NEVER },
  key_limit_reached: { action: 'Revoke keys that nobody uses.', repeat: 'Yes, once a key was revoked or has expired.' },
  business_limit_reached: { action: 'Ask the operator of the service for a higher limit.', repeat: NEVER },
  endpoint_limit_reached: { action: 'Delete endpoints that nobody uses.', repeat: 'Yes, once an endpoint was deleted.' },
  url_not_allowed: { action: 'Use an https URL of a public host, without a user name and a password.' },
  endpoint_disabled: { action: 'Enable the endpoint first.', repeat: 'Yes, once the endpoint is enabled.' },
  expired: { action: 'The delivery is too old to be replayed.', repeat: NEVER },
  cart_not_open: { action: 'Create a new cart: this one is completed or has expired.', repeat: NEVER },
};

export function adviceOn(code: Code): Advice {
  return { ...BY_STATUS[statusOf(code)]!, ...BY_CODE[code] };
}
