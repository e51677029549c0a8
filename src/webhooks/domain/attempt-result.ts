/** The reasons why an attempt got no usable HTTP response. They are stored and must never change. */
export type SendFailure =
  | 'blocked_address'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_timeout'
  | 'dns_failure'
  | 'endpoint_deleted'
  | 'envelope_too_large'
  | 'invalid_answer'
  | 'network_failure'
  | 'response_too_large'
  /** The service failed before it could send. */
  | 'service_failure'
  | 'timeout'
  | 'tls_failure';

/** The outcome of one HTTP request. */
export type AttemptResult =
  | { readonly responseStatus: number; readonly durationMs: number; readonly retryAfterSeconds: number | null }
  /**
   * `durationMs` is null when nothing was sent. `errorCode` is a code of the network or of TLS, such as
   * `CERT_HAS_EXPIRED`, or the blocked address.
   */
  | { readonly failure: SendFailure; readonly durationMs: number | null; readonly errorCode?: string };

export type FailureReason = SendFailure | 'client_error' | 'server_error' | 'redirect' | 'unexpected_status';

/** The stored part of a failed attempt. */
export interface RecordedFailure {
  readonly reason: FailureReason;
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly durationMs: number | null;
}

/** `service` means that the receiver did not cause the failure. */
export type FailureClass = 'client_error' | 'server_error' | 'timeout' | 'network' | 'blocked' | 'service';

const FAILURE_CLASSES: Readonly<Record<FailureReason, FailureClass>> = {
  client_error: 'client_error',
  server_error: 'server_error',
  redirect: 'server_error',
  unexpected_status: 'server_error',
  timeout: 'timeout',
  connection_timeout: 'timeout',
  connection_refused: 'network',
  connection_reset: 'network',
  dns_failure: 'network',
  tls_failure: 'network',
  invalid_answer: 'network',
  network_failure: 'network',
  response_too_large: 'network',
  blocked_address: 'blocked',
  endpoint_deleted: 'service',
  envelope_too_large: 'service',
  service_failure: 'service',
};

export function classifyFailure(reason: FailureReason): FailureClass {
  return FAILURE_CLASSES[reason];
}

type ResultClass =
  | { readonly outcome: 'success'; readonly responseStatus: number; readonly durationMs: number }
  | { readonly outcome: 'final' | 'retryable'; readonly reason: FailureReason };

/** Classifies a result. Every 4xx is final, also 408, 410, 425 and 429. */
export function classifyResult(answer: AttemptResult): ResultClass {
  if ('failure' in answer) return { outcome: isFinal(answer.failure) ? 'final' : 'retryable', reason: answer.failure };
  const { responseStatus: status, durationMs } = answer;
  if (status >= 200 && status < 300) return { outcome: 'success', responseStatus: status, durationMs };
  if (status >= 400 && status < 500) return { outcome: 'final', reason: 'client_error' };
  if (status >= 500 && status < 600) return { outcome: 'retryable', reason: 'server_error' };
  return { outcome: 'retryable', reason: status >= 300 && status < 400 ? 'redirect' : 'unexpected_status' };
}

/** Returns whether every other attempt would fail in the same way. */
function isFinal(failure: SendFailure): boolean {
  return failure === 'envelope_too_large' || failure === 'endpoint_deleted';
}
