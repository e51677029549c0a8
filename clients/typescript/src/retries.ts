import type { ConnectionFault } from './connection-faults.ts';
import { ConnectionError, isProblem } from './problems.ts';

/** Codes of refusals after which the same request can succeed: nothing was done. */
const REFUSED_CODES = ['rate_limited', 'concurrent_update', 'idempotency_key_in_progress'] as const;
/** Statuses of a service or a proxy that may have begun the request. */
const UNCERTAIN_STATUSES = new Set([502, 503, 504]);
/** The request did not leave. */
const UNSENT_FAULTS = new Set<ConnectionFault>(['refused', 'dns']);
/** A longer pause is left to the caller. */
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_BACKOFF_MS = 8_000;

export interface RetryRules {
  readonly maxRetries: number;
  readonly backoffMs: number;
  /** Whether the request has one effect when it arrives twice. */
  readonly isRepeatable: boolean;
}

/** Returns the pause before the next attempt, or null when the error is final. */
export function pauseAfter(error: unknown, attempt: number, rules: RetryRules): number | null {
  if (attempt >= rules.maxRetries || !canRepeat(error, rules)) return null;
  const backoff = Math.min(LONGEST_BACKOFF_MS, rules.backoffMs * 2 ** attempt) * (0.5 + Math.random() / 2);
  const pause = Math.max(backoff, retryAfterMs(error));
  return pause > LONGEST_PAUSE_MS ? null : pause;
}

/** Returns whether a later attempt of a read can succeed. */
export function isTransient(error: unknown): boolean {
  return canRepeat(error, { maxRetries: Infinity, backoffMs: 0, isRepeatable: true });
}

function canRepeat(error: unknown, { isRepeatable }: RetryRules): boolean {
  if (isProblem(error, ...REFUSED_CODES) || statusOf(error) === 429) return true;
  if (!(error instanceof ConnectionError)) return isRepeatable && UNCERTAIN_STATUSES.has(statusOf(error));
  return error.fault !== 'tls' && (isRepeatable || UNSENT_FAULTS.has(error.fault));
}

function statusOf(error: unknown): number {
  return (error as { readonly status?: number }).status ?? 0;
}

/** Reads `Retry-After`: seconds, or a date. */
export function retryAfterMs(error: unknown): number {
  const text = (error as { readonly headers?: Headers }).headers?.get('retry-after') ?? '0';
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : milliseconds;
}

/** Waits. @throws the reason of the signal when it aborts first */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
