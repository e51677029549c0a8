import type { SendFailure } from '../domain/attempt-result.js';
import { BlockedAddress } from './address-policy.js';
import { ConnectionClosed } from './http1/connection.js';
import { ConnectTimeout } from './http1/open-socket.js';
import { InvalidResponse, ResponseTooLarge } from './http1/response-reader.js';
import { NameNotResolved } from './name-resolver.js';

const FAILURE_BY_CODE: Readonly<Record<string, SendFailure>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'connection_timeout',
};

/** Matches error codes of OpenSSL and of Node's TLS. */
const TLS_ERROR_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;

/** OpenSSL has codes such as `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`. */
const REPORTED_CODE = /^[A-Z][A-Z0-9_/]{1,63}$/;

const FAILURE_BY_CLASS: readonly (readonly [abstract new (...args: never[]) => Error, SendFailure])[] = [
  [BlockedAddress, 'blocked_address'],
  [NameNotResolved, 'dns_failure'],
  [ConnectTimeout, 'connection_timeout'],
  [ConnectionClosed, 'connection_reset'],
  [InvalidResponse, 'invalid_answer'],
  [ResponseTooLarge, 'response_too_large'],
];

const FAILURES_BEFORE_SENDING: ReadonlySet<SendFailure> = new Set([
  'blocked_address',
  'connection_refused',
  'connection_timeout',
  'dns_failure',
  'tls_failure',
]);

/**
 * Returns the failure that an error of a send means. Every error that a receiver can cause in the connection, in TLS or
 * in the response is a failed delivery.
 */
export function toSendFailure(error: unknown): SendFailure {
  const known = FAILURE_BY_CLASS.find(([type]) => error instanceof type);
  if (known !== undefined) return known[1];
  if (error instanceof AggregateError && error.errors.length > 0) return toSendFailure(error.errors[0]);
  const { code = '' } = error as NodeJS.ErrnoException;
  if (TLS_ERROR_CODE.test(code)) return 'tls_failure';
  return FAILURE_BY_CODE[code] ?? 'network_failure';
}

/**
 * Returns the code of the resolver, of the network or of TLS, or the blocked address. It never contains text that a
 * receiver has written.
 */
export function findErrorCode(error: unknown): string | undefined {
  if (error instanceof BlockedAddress) return error.address ?? undefined;
  if (error instanceof AggregateError && error.errors.length > 0) return findErrorCode(error.errors[0]);
  const code = error instanceof NameNotResolved ? error.detail : (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && REPORTED_CODE.test(code) ? code : undefined;
}

export function isBeforeSending(failure: SendFailure): boolean {
  return FAILURES_BEFORE_SENDING.has(failure);
}
