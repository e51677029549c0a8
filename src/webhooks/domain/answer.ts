/** Why an attempt got no answer, or none that counts. Recorded: the names are for ever. */
export type Failure =
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
  /** The service itself could not send. */
  | 'service_failure'
  | 'timeout'
  | 'tls_failure';

/** What became of one send. */
export type Answer =
  | { readonly responseStatus: number; readonly durationMs: number; readonly retryAfterSeconds: number | null }
  /** `durationMs` is null when nothing was sent. `errorCode`: of the network or of TLS, such as `CERT_HAS_EXPIRED`. */
  | { readonly failure: Failure; readonly durationMs: number | null; readonly errorCode?: string };

export type FailureReason = Failure | 'client_error' | 'server_error' | 'redirect' | 'unexpected_status';

/** What is recorded of a failed attempt. */
export interface RecordedFailure {
  readonly reason: FailureReason;
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly durationMs: number | null;
}

/** `service`: the receiver had no part in it. */
export type FailureClass = 'client_error' | 'server_error' | 'timeout' | 'network' | 'blocked' | 'service';

const CLASSES: Readonly<Record<FailureReason, FailureClass>> = {
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

export function failureClassOf(reason: FailureReason): FailureClass {
  return CLASSES[reason];
}

type Verdict =
  | { readonly outcome: 'success'; readonly responseStatus: number; readonly durationMs: number }
  | { readonly outcome: 'final' | 'retryable'; readonly reason: FailureReason };

/** A 4xx is the receiver's last word, 408, 410, 425 and 429 too. */
export function verdictOn(answer: Answer): Verdict {
  if ('failure' in answer) return { outcome: isFinal(answer.failure) ? 'final' : 'retryable', reason: answer.failure };
  const { responseStatus: status, durationMs } = answer;
  if (status >= 200 && status < 300) return { outcome: 'success', responseStatus: status, durationMs };
  if (status >= 400 && status < 500) return { outcome: 'final', reason: 'client_error' };
  if (status >= 500 && status < 600) return { outcome: 'retryable', reason: 'server_error' };
  return { outcome: 'retryable', reason: status >= 300 && status < 400 ? 'redirect' : 'unexpected_status' };
}

/** The same would come of every other attempt. */
function isFinal(failure: Failure): boolean {
  return failure === 'envelope_too_large' || failure === 'endpoint_deleted';
}
