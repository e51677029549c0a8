import { Injectable } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { AttemptResult, SendFailure } from '../domain/attempt-result.js';
import { AddressPolicy, type ResolvedHost } from './address-policy.js';
import type { ReceivedResponse } from './captures.js';
import { Deadline } from './deadline.js';
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
  async post(to: string, envelope: Envelope, timeoutMs: number): Promise<SendResult> {
    const url = new URL(to);
    const deadline = new Deadline(timeoutMs);
    try {
      const host = await this.resolve(url, deadline);
      if ('failure' in host) return host;
      return await this.sendWithinHostLimit(host, url, envelope, deadline).finally(host.release);
    } finally {
      deadline.clear();
    }
  }

  private async resolve(url: URL, deadline: Deadline): Promise<ResolvedHost | NotSent> {
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
    url: URL,
    envelope: Envelope,
    deadline: Deadline,
  ): Promise<SendResult> {
    const slot = await this.hostLimiter.acquire(url.hostname, addresses, deadline);
    if (slot === null) return { failure: 'service_failure', durationMs: null, errorCode: 'HOST_LIMIT_REACHED' };
    return this.send(url, envelope, deadline).finally(slot.release);
  }

  private async send(url: URL, { body, headers }: Envelope, deadline: Deadline): Promise<SendResult> {
    if (deadline.hasPassed) return { failure: 'timeout', durationMs: 0 };
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
      const failure = deadline.hasPassed ? 'timeout' : toSendFailure(error);
      return {
        failure,
        durationMs: isBeforeSending(failure) ? null : measureMs(),
        ...(deadline.hasPassed ? {} : toErrorCodeField(error)),
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

function rejectAt(deadline: Deadline, hostname: string): Promise<never> {
  return new Promise((_, reject) => {
    deadline.once('abort', () => reject(new NameNotResolved(hostname, 'ETIMEOUT')));
  });
}

function toErrorCodeField(error: unknown): { readonly errorCode?: string } {
  const errorCode = findErrorCode(error);
  return errorCode === undefined ? {} : { errorCode };
}

/**
 * Reads at most `limit` bytes of text. Destroying the body closes the connection with the unread rest. Events cost less
 * than an async iterator.
 */
function readText(limit: number, body: Dispatcher.ResponseData['body']): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = () => resolve(Buffer.concat(chunks).toString('utf8', 0, limit));
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received < limit) return;
      finish();
      body.destroy();
    });
    body.on('end', finish).on('error', reject);
    body.on('close', () => {
      if (!body.readableEnded) reject(new Error('The response was closed before its end.'));
    });
  });
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): ReceivedResponse['headers'] {
  const joinValues = (value: string | readonly string[] | undefined) =>
    Array.isArray(value) ? value.join(', ') : String(value);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, joinValues(value)]));
}
