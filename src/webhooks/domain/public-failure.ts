import type { FailureReason } from './attempt-result.js';

/** The public reasons why an attempt failed. */
export const PUBLIC_REASONS = [
  'client_error',
  'server_error',
  'redirect',
  'timeout',
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'tls_failure',
  'blocked_address',
  'response_too_large',
  'invalid_response',
  'lost',
] as const;

export type PublicReason = (typeof PUBLIC_REASONS)[number];

export interface PublicFailure {
  readonly reason: PublicReason;
  /** A sentence for humans. */
  readonly detail: string;
}

/** A null sentence means that the response status describes the failure. */
const PUBLIC_FAILURES: Readonly<Record<FailureReason, readonly [PublicReason, string | null]>> = {
  client_error: ['client_error', null],
  server_error: ['server_error', null],
  redirect: ['redirect', null],
  unexpected_status: ['invalid_response', null],
  timeout: ['timeout', 'The receiver did not answer in time'],
  connection_timeout: ['timeout', 'The receiver did not accept the connection in time'],
  dns_failure: ['dns_failure', 'The host name could not be resolved'],
  connection_refused: ['connection_refused', 'The connection could not be opened'],
  connection_reset: ['connection_reset', 'The receiver closed the connection before it answered'],
  tls_failure: ['tls_failure', 'The TLS connection could not be established'],
  blocked_address: ['blocked_address', 'The host name resolves to an address that is not public'],
  response_too_large: ['response_too_large', 'The headers of the response are too large'],
  invalid_answer: ['invalid_response', 'The response is not valid HTTP'],
  network_failure: ['invalid_response', 'The response could not be read'],
  envelope_too_large: ['lost', 'The service did not send the event because it is too large'],
  endpoint_deleted: ['lost', 'The service did not send the event because the endpoint was deleted'],
  service_failure: ['lost', 'The service could not send the event because of an internal error'],
};

const LOST: PublicFailure = { reason: 'lost', detail: 'The service was interrupted, so the outcome is unknown.' };

export function toPublicFailure(
  reason: FailureReason,
  { responseStatus, errorCode }: { readonly responseStatus: number | null; readonly errorCode: string | null },
): PublicFailure {
  const [shown, said] = PUBLIC_FAILURES[reason];
  const sentence =
    said ?? (shown === 'redirect' ? `${describeStatus(responseStatus)} Redirects are not followed` : null);
  if (sentence === null) return { reason: shown, detail: describeStatus(responseStatus) };
  return { reason: shown, detail: errorCode === null ? `${sentence}.` : `${sentence} (${errorCode}).` };
}

/** Returns the failure of an attempt whose process ended before it recorded the outcome. */
export function toLostFailure(): PublicFailure {
  return LOST;
}

function describeStatus(responseStatus: number | null): string {
  return `The receiver answered with status ${responseStatus}.`;
}
