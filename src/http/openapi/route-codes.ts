import type { AccessRule } from '../auth/access.js';
import {
  fieldStatusFor,
  isProblemCode,
  PROBLEM_CODES,
  type ProblemCode,
  statusFor,
} from '../problems/problem-codes.js';
import { codesForClass } from './class-schema.js';
import type { Route } from './route.js';

/** The codes of every route: from the parser, the limits and the service. */
const ANY_ROUTE_CODES: readonly ProblemCode[] = [
  'bad_request',
  'invalid_parameter',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];
const CREDENTIAL_CODES: readonly ProblemCode[] = [
  'authentication_required',
  'invalid_credentials',
  'token_expired',
  'business_access_denied',
];
const WRITE_CODES: readonly ProblemCode[] = ['read_only_key', 'concurrent_update'];
/** The codes of every write. A write without a body rejects fields too. */
const BODY_CODES: readonly ProblemCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'unknown_parameter',
];
const KEY_CODES: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
];

/** The codes for the credentials that an access rule excludes. */
const ACCESS_CODES: Readonly<Record<AccessRule, readonly ProblemCode[]>> = {
  business: ['permission_denied'],
  community: ['permission_denied', 'live_key_required'],
  public: [],
  any: ['permission_denied'],
  session: ['permission_denied'],
  owner_session: ['permission_denied'],
  reviewer: ['permission_denied'],
  buyer: [],
  secret_key: ['permission_denied', 'secret_key_required'],
};

/**
 * Returns every code of the route, in the order of the table of codes: the codes that follow from its kind, and its
 * own.
 */
export function codesFor({ path, access, writes, body, idempotencyKey, ...own }: Route): readonly ProblemCode[] {
  const codes = new Set<string>([
    ...ANY_ROUTE_CODES,
    ...(access === 'public' ? [] : CREDENTIAL_CODES),
    ...ACCESS_CODES[access],
    ...(writes ? [...WRITE_CODES, ...BODY_CODES] : []),
    ...(body === null ? [] : codesForClass(body)),
    ...(idempotencyKey === null ? [] : KEY_CODES),
    ...(idempotencyKey === 'required' ? ['idempotency_key_required'] : []),
    ...(path.includes('{') ? ['not_found'] : []),
    ...own.rejects,
    ...own.rejectsFields,
  ]);
  return Object.keys(PROBLEM_CODES).filter((code): code is ProblemCode => isProblemCode(code) && codes.has(code));
}

/** Returns the status with which the route answers a code. */
export function statusIn({ rejectsFields }: Pick<Route, 'rejectsFields'>, code: ProblemCode): number {
  return rejectsFields.includes(code) ? fieldStatusFor(code) : statusFor(code);
}
