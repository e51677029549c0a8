import { Injectable } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { AttemptResult, SendFailure } from '../domain/attempt-result.js';
import { AddressPolicy, type ResolvedHost } from './address-policy.js';
import type { ReceivedResponse } from './captures.js';
import type { Envelope } from './envelope.js';
import { HostLimiter } from './host-limiter.js';
import { NameNotResolved } from './name-resolver.js';
import { findErrorCode, isBeforeSending, toSendFailure } from './network-failure.js';

const MAX_CONNECT_MS = 5_000;
/** The limit, also when a receiver asks for a longer time. */
const MAX_KEEP_ALIVE_MS = 30_000;
const MAX_RESPONSE_BYTES = 16 * 1024;

/** The result of a send, with the response if one was received. */
export type SendResult = AttemptResult & { readonly received?: ReceivedResponse };

type NotSent = Extract<AttemptResult, { readonly failure: SendFailure }>;

/**
 * Posts envelopes. Follows no redirects, decompresses nothing, uses no proxy, and gives each send one deadline in
 * total.
 */
@Injectable()
export class Sender {
  private readonly agent: Agent;

  constructor(
    { webhooks }: Config,
    private readonly addressPolicy: AddressPolicy,
    private readonly hostLimiter: HostLimiter,
    private readonly clock: Clock,
  ) {
    this.agent = new Agent({
      allowH2: false,
      connections: webhooks.hostConcurrency === 0 ? null : webhooks.hostConcurrency,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      // The deadline of a send does not abort a socket that is still connecting.
      connect: { timeout: Math.min(MAX_CONNECT_MS, webhooks.timeoutMs), lookup: this.addressPolicy.lookup },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Sends one request. Expected network failures are returned as data. The timeout includes the name lookup; the
   * measured duration does not.
   */
  async post(url: string, envelope: Envelope, timeoutMs: number): Promise<SendResult> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const host = await this.resolve(new URL(url), deadline.signal);
      if ('failure' in host) return host;
      return await this.sendWithinHostLimit(host, url, envelope, deadline.signal).finally(host.release);
    } finally {
      clearTimeout(timer);
    }
  }

  private async resolve(url: URL, deadline: AbortSignal): Promise<ResolvedHost | NotSent> {
    const resolving = this.addressPolicy.resolve(url);
    try {
      return await Promise.race([resolving, rejectAt(deadline, url.hostname)]);
    } catch (error) {
      // The lookup continues after the failure, so its result is released here.
      void resolving.then(
        ({ release }) => release(),
        () => undefined,
      );
      return { failure: toSendFailure(error), durationMs: null, ...toErrorCodeField(error) };
    }
  }

  private async sendWithinHostLimit(
    { addresses }: ResolvedHost,
    url: string,
    envelope: Envelope,
    deadline: AbortSignal,
  ): Promise<SendResult> {
    const slot = await this.hostLimiter.acquire(new URL(url).hostname, addresses, deadline);
    if (slot === null) return { failure: 'service_failure', durationMs: null, errorCode: 'HOST_LIMIT_REACHED' };
    return this.send(url, envelope, deadline).finally(slot.release);
  }

  private async send(url: string, { body, headers }: Envelope, deadline: AbortSignal): Promise<SendResult> {
    const startedAt = this.clock.monotonic();
    const measureMs = () => Math.round(this.clock.monotonic() - startedAt);
    try {
      const response = await request(url, { method: 'POST', dispatcher: this.agent, body, headers, signal: deadline });
      passCrashPoint('after-send-before-response');
      const received = {
        headers: joinHeaders(response.headers),
        body: await readText(MAX_RESPONSE_BYTES, response.body),
      };
      return {
        responseStatus: response.statusCode,
        durationMs: measureMs(),
        retryAfterSeconds: this.parseRetryAfter(response),
        received,
      };
    } catch (error) {
      const failure = deadline.aborted ? 'timeout' : toSendFailure(error);
      return {
        failure,
        durationMs: isBeforeSending(failure) ? null : measureMs(),
        ...(deadline.aborted ? {} : toErrorCodeField(error)),
      };
    }
  }

  /** Parses `Retry-After`, which is a number of seconds or a date. */
  private parseRetryAfter({ headers }: Dispatcher.ResponseData): number | null {
    const value = headers['retry-after'];
    if (typeof value !== 'string') return null;
    if (/^\d+$/.test(value)) return Number(value);
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - this.clock.now()) / 1_000));
  }
}

function rejectAt(deadline: AbortSignal, hostname: string): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () => reject(new NameNotResolved(hostname, 'ETIMEOUT')), { once: true });
  });
}

function toErrorCodeField(error: unknown): { readonly errorCode?: string } {
  const errorCode = findErrorCode(error);
  return errorCode === undefined ? {} : { errorCode };
}

/** Reads at most `limit` bytes of text. Leaving the loop destroys the connection with the unread rest. */
async function readText(limit: number, body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= limit) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, limit);
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): ReceivedResponse['headers'] {
  const joinValues = (value: string | readonly string[] | undefined) =>
    Array.isArray(value) ? value.join(', ') : String(value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, joinValues(value)]));
}
