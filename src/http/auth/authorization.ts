import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../kernel/caller.js';
import type { Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { AccessRule } from './access.js';

const BUSINESS_HEADER = 'X-Service-Business-Id';
const MODE_HEADER = 'X-Service-Mode';
export const BUSINESS_ID = /^biz_[A-Za-z0-9_-]{1,64}$/;

/** Checks the kind of the credential, before the headers are parsed. @throws Rejection 403 */
export function assertCredentialAllowed(rule: AccessRule, writes: boolean, caller: Caller): void {
  if (caller.kind === 'read_only_key' && writes) throw new Rejection('read_only_key', 'A read-only key can only read.');
  if (caller.kind === 'cart_token' && rule !== 'buyer')
    throw createPermissionRejection('A cart token gives access only to its own cart.');

  switch (rule) {
    case 'secret_key':
      if (caller.kind !== 'secret_key')
        throw new Rejection('secret_key_required', 'This operation requires a secret key.');
      return;
    case 'session':
    case 'owner_session':
      if (caller.kind !== 'session')
        throw createPermissionRejection('This operation requires the session of a signed-in user.');
      return;
    case 'reviewer':
      if (!caller.reviewer) throw createPermissionRejection('This operation requires a reviewer of the platform.');
      return;
    case 'business':
    case 'community':
    case 'buyer':
    case 'any':
    case 'public':
      return;
  }
}

/** Rejects test keys: the community has no test mode. @throws Rejection `live_key_required` */
export function assertLiveKey(caller: Caller): void {
  if (isKey(caller) && caller.mode !== 'live')
    throw new Rejection('live_key_required', 'The community accepts only live keys.');
}

/** Returns the business that the header names, or null. A key and a cart token may name only their own business. */
export function parseBusinessHeader(caller: Caller, headers: IncomingHttpHeaders): string | null {
  const named = headers[BUSINESS_HEADER.toLowerCase()];
  if (named === undefined) return null;
  if (typeof named !== 'string' || !BUSINESS_ID.test(named))
    throw createHeaderRejection(BUSINESS_HEADER, `${BUSINESS_HEADER} must be the id of a business.`);
  if (caller.kind !== 'session' && named !== caller.business) throw createBusinessRejection();
  return named;
}

/** Rejects a session that names no business where the route acts for a business. */
export function assertBusinessNamed(rule: AccessRule, caller: Caller, named: string | null): void {
  const needed = rule === 'business' || rule === 'owner_session';
  if (needed && caller.kind === 'session' && named === null) throw createBusinessRejection();
}

/** Returns the mode that a session names. A key and a cart token have a fixed mode; the community has no test mode. */
export function parseModeHeader(onlyLive: boolean, caller: Caller, headers: IncomingHttpHeaders): Mode {
  if (caller.kind !== 'session') return caller.mode;
  const named = headers[MODE_HEADER.toLowerCase()] ?? 'live';
  if (named !== 'live' && named !== 'test')
    throw createHeaderRejection(MODE_HEADER, `${MODE_HEADER} must be live or test.`);
  return onlyLive ? 'live' : named;
}

export function createBusinessRejection(): Rejection {
  return new Rejection(
    'business_access_denied',
    `${BUSINESS_HEADER} must name a business that the caller may act for.`,
  );
}

function isKey({ kind }: Caller): boolean {
  return kind === 'secret_key' || kind === 'read_only_key';
}

function createPermissionRejection(detail: string): Rejection {
  return new Rejection('permission_denied', detail);
}

function createHeaderRejection(param: string, detail: string): Rejection {
  return Rejection.of('invalid_parameter', detail, [{ code: 'invalid_parameter', detail, param }]);
}
