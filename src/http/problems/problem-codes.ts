/**
 * The status and the title of every problem code. No other file maps a code to a status. A third value is the status of
 * a problem that refuses a field of the body by this code, where the code refuses the caller otherwise.
 */
export const PROBLEM_CODES = {
  bad_request: [400, 'The request is malformed'],
  invalid_json: [400, 'The body is not valid JSON'],
  invalid_parameter: [400, 'A parameter is not valid'],
  invalid_signature: [400, 'The signature is not valid'],
  invalid_idempotency_key: [400, 'The idempotency key is not valid'],
  idempotency_key_required: [400, 'An idempotency key is required'],

  authentication_required: [401, 'A credential is required'],
  invalid_credentials: [401, 'The credential is not valid'],
  token_expired: [401, 'The credential has expired'],

  payment_failed: [402, 'The payment failed'],

  read_only_key: [403, 'The key is read-only'],
  secret_key_required: [403, 'A secret key is required'],
  live_key_required: [403, 'A live key is required'],
  business_access_denied: [403, 'The business is not accessible'],
  permission_denied: [403, 'Permission denied'],
  insufficient_level: [403, 'The level is too low'],
  not_a_member: [403, 'Membership is required'],
  posting_restricted: [403, 'Posting is restricted'],
  invite_required: [403, 'An invite is required'],
  purchase_required: [403, 'A purchase is required'],
  banned: [403, 'The user is banned from the community', 422],

  not_found: [404, 'Not found'],
  onboarding_task_not_found: [404, 'The onboarding task does not exist'],

  method_not_allowed: [405, 'The method is not allowed'],
  request_timeout: [408, 'The request took too long to arrive'],

  concurrent_update: [409, 'The resource was changed at the same time'],
  idempotency_key_conflict: [409, 'The idempotency key belongs to another request'],
  idempotency_key_in_progress: [409, 'The first request under this key is still running'],
  delivery_in_progress: [409, 'The delivery is being sent'],
  delivery_replayed_by_job: [409, 'A replay job replays the delivery'],
  replay_job_conflict: [409, 'A replay job is active for the endpoint'],
  export_not_completed: [409, 'The export is not completed'],
  operation_refused: [409, 'The operation is not possible now'],
  points_already_awarded: [409, 'The source has awarded different points'],

  payload_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The address is too long'],
  unsupported_media_type: [415, 'The media type is not supported'],
  expectation_failed: [417, 'The expectation cannot be met'],

  validation_failed: [422, 'The request is not valid'],
  unknown_parameter: [422, 'A field is not known'],
  endpoint_disabled: [422, 'The endpoint is disabled'],
  expired: [422, 'The delivery is too old'],
  key_ended: [422, 'The key is revoked or expired'],
  business_limit_reached: [422, 'The limit of businesses is reached'],
  key_limit_reached: [422, 'The limit of keys is reached'],
  attempts_exhausted: [422, 'All attempts are used up'],
  replay_job_finished: [422, 'The replay job has finished'],
  export_failed: [422, 'The export has failed'],
  window_too_large: [422, 'The window contains too many deliveries'],
  url_not_allowed: [422, 'The URL is not allowed'],
  event_type_unknown: [422, 'The event type is not known'],
  event_type_closed: [422, 'The event type is closed to subscriptions'],
  endpoint_limit_reached: [422, 'The limit of endpoints is reached'],
  payment_not_refundable: [422, 'The payment cannot be refunded'],
  payment_already_refunded: [422, 'The payment is refunded already'],
  refund_amount_exceeds_refundable: [422, 'The refund is too large'],
  refund_declined: [422, 'The refund was declined'],
  payment_disputed: [422, 'The payment is disputed'],
  dispute_closed: [422, 'The dispute is closed'],
  insufficient_seller_balance: [422, 'The seller balance is too low'],
  amount_not_supported: [422, 'The payment gateway cannot take the amount'],
  currency_mismatch: [422, 'The currency does not match'],
  product_not_in_review: [422, 'The product is not in review'],
  product_unavailable: [422, 'A product cannot be sold now'],
  not_saleable: [422, 'Product cannot be sold'],
  plan_not_available: [422, 'The plan is not available'],
  offer_not_sendable: [422, 'The offer cannot be sent'],
  offer_not_sent: [422, 'The offer has not been sent'],
  offer_already_accepted: [422, 'The offer is accepted already'],
  offer_expired: [422, 'The offer has expired'],
  offer_cancelled: [422, 'The offer is cancelled'],
  offer_buyer_mismatch: [422, 'The offer is for another buyer'],
  discount_invalid: [422, 'The discount is not valid'],
  discount_code_taken: [422, 'The discount code is taken'],
  cart_not_open: [422, 'The cart is not open'],
  cart_locked: [422, 'The content of the cart is fixed'],
  cart_empty: [422, 'The cart is empty'],
  buyer_required: [422, 'A buyer is required'],
  payment_method_invalid: [422, 'The payment method is not valid'],
  no_change: [422, 'The request changes nothing'],
  subscription_not_active: [422, 'The subscription is not active'],
  subscription_cancelling: [422, 'The subscription is being cancelled'],
  subscription_not_pausable: [422, 'The subscription cannot be paused'],
  subscription_not_paused: [422, 'The subscription is not paused'],
  subscription_already_cancelled: [422, 'The subscription is cancelled already'],
  no_pending_change: [422, 'No change is pending'],
  no_scheduled_cancellation: [422, 'No cancellation is scheduled'],
  clock_moves_forward_only: [422, 'The clock can only move forward'],
  buyer_has_active_charges: [422, 'The buyer may still be charged'],
  installments_ended: [422, 'The installments have ended'],
  test_clock_advancing: [409, 'The test clock is advancing'],
  test_clock_too_far: [422, 'The test clock cannot be set that far'],
  content_required: [422, 'Content is required'],
  name_taken: [422, 'The name is taken'],
  key_taken: [422, 'The key is taken'],
  member_not_found: [422, 'The member does not exist'],
  already_member: [422, 'The user is already a member'],
  self_award: [422, 'Members cannot award points to themselves'],
  owner_protected: [422, 'The owner is protected'],
  last_owner: [422, 'A community must have an owner'],
  banned_member: [422, 'The member is banned'],
  invalid_range: [422, 'The range is not valid'],
  invalid_timezone: [422, 'The time zone is not known'],
  challenge_ended: [422, 'The challenge has ended'],
  challenge_cancelled: [422, 'The challenge is cancelled'],
  default_channel_protected: [422, 'The default channel is protected'],
  invite_already_accepted: [422, 'The invite is accepted already'],
  invite_declined: [422, 'The invite is declined already'],
  invite_revoked: [422, 'The invite is revoked'],
  invite_expired: [422, 'The invite has expired'],
  reply_target_invalid: [422, 'The message cannot be replied to'],
  restore_expired: [422, 'The post can no longer be restored'],
  product_required: [422, 'A product is required'],
  levels_not_rising: [422, 'The levels must rise'],
  community_archived: [422, 'The community is archived'],

  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The headers are too large'],
  internal_error: [500, 'Internal error'],
  service_unavailable: [503, 'The service is unavailable'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string, ofField?: number]>>;

export type ProblemCode = keyof typeof PROBLEM_CODES;

/** Codes of requests that could not be read: after their bytes, the beginning of a next request is not certain. */
const UNREADABLE_CODES: ReadonlySet<ProblemCode> = new Set([
  'bad_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
]);

/** Conflicts that last: the key, the source or the state has other content, and waiting does not change it. */
const LASTING_CONFLICTS: ReadonlySet<ProblemCode> = new Set([
  'idempotency_key_conflict',
  'points_already_awarded',
  'operation_refused',
]);
const RETRY_SECONDS: Partial<Record<ProblemCode, number>> = { service_unavailable: 1, rate_limited: 60 };
const CONFLICT_RETRY_SECONDS = 1;

declare module '../../kernel/rejection.js' {
  interface RejectionCodes {
    readonly http: ProblemCode;
  }
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEM_CODES, code);
}

export function endsConnection(code: ProblemCode): boolean {
  return UNREADABLE_CODES.has(code);
}

/** Returns after how many seconds the same request can succeed; null when time alone does not help. */
export function retrySecondsFor(code: ProblemCode): number | null {
  if (statusFor(code) === 409) return LASTING_CONFLICTS.has(code) ? null : CONFLICT_RETRY_SECONDS;
  return RETRY_SECONDS[code] ?? null;
}

export function statusFor(code: ProblemCode): number {
  return PROBLEM_CODES[code][0];
}

export function fieldStatusFor(code: ProblemCode): number {
  const [status, , ofField = status] = PROBLEM_CODES[code] as (typeof PROBLEM_CODES)['banned'];
  return ofField;
}

/** Returns every status with which the service answers the code: one, or two. */
export function listStatuses(code: ProblemCode): readonly number[] {
  return [...new Set([statusFor(code), fieldStatusFor(code)])];
}

interface Refusal {
  readonly code: ProblemCode;
  readonly errors: readonly unknown[];
}

/** Returns the status of a problem with these errors of fields, possibly none. */
export function statusOf({ code, errors }: Refusal): number {
  return errors.length > 0 ? fieldStatusFor(code) : statusFor(code);
}

export function titleFor(code: ProblemCode): string {
  return PROBLEM_CODES[code][1];
}
