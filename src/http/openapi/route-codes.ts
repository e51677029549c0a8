import type { Rule } from '../access.js';
import { CODES, isCode, type Code } from '../codes.js';
import { codesOfClass } from './class-schema.js';
import type { Route } from './route.js';

/** The codes of every route: from the parser, the limits and the service. */
const OF_ANY: readonly Code[] = [
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
const OF_CREDENTIALS: readonly Code[] = ['authentication_required', 'invalid_credentials', 'token_expired', 'business_access_denied'];
const OF_WRITES: readonly Code[] = ['read_only_key', 'concurrent_update'];
/** The codes of every write. A write without a body rejects fields too. */
const OF_BODIES: readonly Code[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'unknown_parameter',
];
const OF_KEYS: readonly Code[] = ['invalid_idempotency_key', 'idempotency_key_conflict', 'idempotency_key_in_progress'];

/** The codes for the credentials that an access rule excludes. */
const OF_ACCESS: Readonly<Record<Rule, readonly Code[]>> = {
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
export function codesOf({ path, access, writes, body, idempotencyKey, refuses }: Route): readonly Code[] {
  const codes = new Set<string>([
    ...OF_ANY,
    ...(access === 'public' ? [] : OF_CREDENTIALS),
    ...OF_ACCESS[access],
    ...(writes ? [...OF_WRITES, ...OF_BODIES] : []),
    ...(body === null ? [] : codesOfClass(body)),
    ...(idempotencyKey === null ? [] : OF_KEYS),
    ...(idempotencyKey === 'required' ? ['idempotency_key_required'] : []),
    ...(path.includes('{') ? ['not_found'] : []),
    ...refuses,
  ]);
  return Object.keys(CODES).filter((code): code is Code => isCode(code) && codes.has(code));
}
