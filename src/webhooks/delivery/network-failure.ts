import { errors } from 'undici';
import type { SendFailure } from '../domain/attempt-result.js';
import { BlockedAddress } from './address-policy.js';
import { NameNotResolved } from './name-resolver.js';

const FAILURE_BY_CODE: Readonly<Record<string, SendFailure>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'connection_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connection_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'response_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'response_too_large',
};

/** Matches error codes of OpenSSL and of Node's TLS. */
const TLS_ERROR_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;

/** Excludes the codes of the HTTP client, which add nothing to the failure. */
const REPORTED_CODE = /^(?!UND_ERR_)[A-Z][A-Z0-9_]{1,63}$/;

const FAILURES_BEFORE_SENDING: ReadonlySet<SendFailure> = new Set([
  'blocked_address',
  'connection_refused',
  'connection_timeout',
  'dns_failure',
  'tls_failure',
]);

/**
 * Returns the failure that an error of a send means. Every error that a receiver can cause in the connection, in TLS or
 * in the parser is a failed delivery.
 * @throws the error itself when the request of this service is invalid
 */
export function toSendFailure(error: unknown): SendFailure {
  if (error instanceof errors.InvalidArgumentError) throw error;
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (error instanceof errors.HTTPParserError) return 'invalid_answer';
  if (error instanceof AggregateError && error.errors.length > 0) return toSendFailure(error.errors[0]);
  if (error instanceof NameNotResolved) return 'dns_failure';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (TLS_ERROR_CODE.test(code)) return 'tls_failure';
  return FAILURE_BY_CODE[code] ?? 'network_failure';
}

/** Returns the code of the resolver, of the network or of TLS. It never contains text that a receiver has written. */
export function findErrorCode(error: unknown): string | undefined {
  if (error instanceof BlockedAddress) return undefined;
  if (error instanceof AggregateError && error.errors.length > 0) return findErrorCode(error.errors[0]);
  const code = error instanceof NameNotResolved ? error.detail : (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && REPORTED_CODE.test(code) ? code : undefined;
}

export function isBeforeSending(failure: SendFailure): boolean {
  return FAILURES_BEFORE_SENDING.has(failure);
}
