import { Injectable } from '@nestjs/common';
import { Agent, request, type Dispatcher } from 'undici';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import type { Answer, Failure } from '../domain/answer.js';
import { Addresses, type Dialled } from './addresses.js';
import type { Received } from './captures.js';
import type { Envelope } from './envelope.js';
import { NameNotResolved } from './names.js';
import { TargetHosts } from './target-hosts.js';
import { errorCodeOf, failureOf, nothingWasSent } from './network-failure.js';

const LONGEST_CONNECT_MS = 5_000;
/** The limit, also when a receiver asks for a longer time. */
const LONGEST_KEEP_ALIVE_MS = 30_000;
const KEPT_ANSWER_BYTES = 16 * 1024;

/** The result of a send, with the response if one was received. */
export type Sent = Answer & { readonly received?: Received };

type NotSent = Extract<Answer, { readonly failure: Failure }>;

/**
 * Posts envelopes. Follows no redirects, decompresses nothing, uses no proxy, and gives each send one deadline in
 * total.
 */
@Injectable()
export class Sender {
  private readonly agent: Agent;

  constructor(
    { webhooks }: Config,
    private readonly addresses: Addresses,
    private readonly hosts: TargetHosts,
    private readonly clock: Clock,
  ) {
    this.agent = new Agent({
      allowH2: false,
      connections: webhooks.hostConcurrency === 0 ? null : webhooks.hostConcurrency,
      keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
      // The deadline of a send does not abort a socket that is still connecting.
      connect: { timeout: Math.min(LONGEST_CONNECT_MS, webhooks.timeoutMs), lookup: this.addresses.lookup },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Sends one request. Expected network failures are returned as data. The timeout includes the name lookup; the
   * measured duration does not.
   */
  async post(url: string, envelope: Envelope, timeoutMs: number): Promise<Sent> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const dialled = await this.dialled(new URL(url), deadline.signal);
      if ('failure' in dialled) return dialled;
      return await this.sentTo(dialled, url, envelope, deadline.signal).finally(dialled.release);
    } finally {
      clearTimeout(timer);
    }
  }

  private async dialled(url: URL, deadline: AbortSignal): Promise<Dialled | NotSent> {
    const dialling = this.addresses.dial(url);
    try {
      return await Promise.race([dialling, rejectedAt(deadline, url.hostname)]);
    } catch (error) {
      // The lookup continues after the failure, so its result is released here.
      void dialling.then(
        ({ release }) => release(),
        () => undefined,
      );
      return { failure: failureOf(error), durationMs: null, ...codeIn(error) };
    }
  }

  private async sentTo({ addresses }: Dialled, url: string, envelope: Envelope, deadline: AbortSignal): Promise<Sent> {
    const slot = await this.hosts.enter(new URL(url).hostname, addresses, deadline);
    if (slot === null) return { failure: 'service_failure', durationMs: null, errorCode: 'HOST_LIMIT_REACHED' };
    return this.sent(url, envelope, deadline).finally(slot.release);
  }

  private async sent(url: string, { body, headers }: Envelope, deadline: AbortSignal): Promise<Sent> {
    const began = this.clock.monotonic();
    const elapsed = () => Math.round(this.clock.monotonic() - began);
    try {
      const response = await request(url, { method: 'POST', dispatcher: this.agent, body, headers, signal: deadline });
      crashPoint('after-send-before-response');
      const received = { headers: joined(response.headers), body: await textUpTo(KEPT_ANSWER_BYTES, response.body) };
      return { responseStatus: response.statusCode, durationMs: elapsed(), retryAfterSeconds: this.retryAfterOf(response), received };
    } catch (error) {
      const failure = deadline.aborted ? 'timeout' : failureOf(error);
      return { failure, durationMs: nothingWasSent(failure) ? null : elapsed(), ...(deadline.aborted ? {} : codeIn(error)) };
    }
  }

  /** Parses `Retry-After`, which is a number of seconds or a date. */
  private retryAfterOf({ headers }: Dispatcher.ResponseData): number | null {
    const value = headers['retry-after'];
    if (typeof value !== 'string') return null;
    if (/^\d+$/.test(value)) return Number(value);
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - this.clock.now()) / 1_000));
  }
}

function rejectedAt(deadline: AbortSignal, hostname: string): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () => reject(new NameNotResolved(hostname, 'ETIMEOUT')), { once: true });
  });
}

function codeIn(error: unknown): { readonly errorCode?: string } {
  const errorCode = errorCodeOf(error);
  return errorCode === undefined ? {} : { errorCode };
}

/** Reads at most `limit` bytes of text. Leaving the loop destroys the connection with the unread rest. */
async function textUpTo(limit: number, body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= limit) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, limit);
}

function joined(headers: Dispatcher.ResponseData['headers']): Received['headers'] {
  const values = (value: string | readonly string[] | undefined) => (Array.isArray(value) ? value.join(', ') : String(value));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, values(value)]));
}
