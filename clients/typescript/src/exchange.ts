import type { EndedAttempt, RequestOptions, SentAttempt } from './options.ts';
import { ConnectionError, type ReceivedResponse } from './problems.ts';

/** A response. Its `text` is empty when the body is left to the caller. */
export interface Exchange extends ReceivedResponse {
  /** The method and the URL, for messages. The query stays out of it, because it may contain personal data. */
  readonly request: string;
  readonly response: Response;
}

interface ExchangeOptions extends Pick<RequestOptions, 'signal' | 'onRequest' | 'onResponse'> {
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly isUnread: boolean;
}

/**
 * Sends one HTTP request and reads the response, so that an error in its body is an error of the attempt.
 * @throws ConnectionError, or the reason of the signal
 */
export async function exchange(sent: SentAttempt, init: RequestInit, options: ExchangeOptions): Promise<Exchange> {
  const { signal, onRequest, onResponse } = options;
  signal?.throwIfAborted();
  onRequest?.(sent);
  const began = performance.now();
  const end = (rest: Pick<EndedAttempt, 'status' | 'requestId' | 'error'>) =>
    onResponse?.({ ...sent, durationMs: performance.now() - began, ...rest });
  const request = `${sent.method} ${sent.url.replace(/\?.*/s, '')}`;
  const received = await receive(sent.url, init, options).catch((cause: unknown) => {
    const error: unknown = signal?.aborted ? signal.reason : new ConnectionError(request, cause);
    end({ status: null, requestId: null, error });
    throw error;
  });
  end({ status: received.status, requestId: received.headers.get('x-request-id') });
  return { ...received, request };
}

async function receive(url: string, init: RequestInit, options: ExchangeOptions): Promise<Omit<Exchange, 'request'>> {
  const { signal, timeoutMs, isUnread, fetch = globalThis.fetch } = options;
  const deadline = new AbortController();
  const message = `no complete response within ${timeoutMs} ms`;
  const timer = setTimeout(() => deadline.abort(new DOMException(message, 'TimeoutError')), timeoutMs);
  try {
    const ended = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
    const response = await fetch(url, { ...init, signal: ended });
    const text = isUnread && response.ok ? '' : await response.text();
    return { status: response.status, headers: response.headers, response, text };
  } finally {
    clearTimeout(timer);
  }
}
