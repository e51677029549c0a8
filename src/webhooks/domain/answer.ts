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
  /** The service itself could not send. */
  | 'service_failure'
  | 'timeout'
  | 'tls_failure';

/** What became of one send. */
export type Answer =
  | { readonly responseStatus: number; readonly durationMs: number; readonly retryAfterSeconds: number | null }
  /** `durationMs` is null when nothing was sent. */
  | { readonly failure: Failure; readonly durationMs: number | null };

export type FailureReason = Failure | 'client_error' | 'server_error' | 'redirect' | 'unexpected_status';

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
