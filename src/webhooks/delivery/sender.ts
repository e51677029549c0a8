import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { AttemptResult } from '../domain/attempt-result.js';
import type { ReceivedResponse } from './captures.js';
import { Deadline } from './deadline.js';
import type { Destination } from './destinations.js';
import type { Envelope } from './envelope.js';
import { HttpClient } from './http1/http-client.js';
import type { Target } from './http1/open-socket.js';
import { encodePost } from './http1/request-message.js';
import type { Response } from './http1/response-reader.js';
import { findErrorCode, isBeforeSending, toSendFailure } from './network-failure.js';

const MAX_CONNECT_MS = 5_000;
const MAX_RESPONSE_BYTES = 16 * 1024;

export type SendResult = AttemptResult & { readonly received?: ReceivedResponse };

export interface SendOptions {
  readonly timeoutMs: number;
  /** Whether to use a new connection. A kept one may end at any moment, which only a later attempt would repair. */
  readonly isNewConnection: boolean;
}

/** Posts envelopes, and gives each send one deadline in total. */
@Injectable()
export class Sender {
  private readonly client: HttpClient;

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    const connectMs = Math.min(MAX_CONNECT_MS, webhooks.timeoutMs);
    this.client = new HttpClient({ connectMs, bodyBytes: MAX_RESPONSE_BYTES });
  }

  /**
   * Sends one request. Expected network failures are returned as data. The timeout includes the name lookup; the
   * measured duration does not.
   */
  async post(destination: Destination, envelope: Envelope, options: SendOptions): Promise<SendResult> {
    const { host, resolvedInMs } = destination;
    if ('error' in host)
      return { failure: toSendFailure(host.error), durationMs: null, ...toErrorCodeField(host.error) };
    const target = { url: new URL(destination.url), addresses: host.addresses };
    const deadline = new Deadline(options.timeoutMs - resolvedInMs);
    try {
      return await this.send(target, envelope, options.isNewConnection, deadline);
    } finally {
      deadline.clear();
    }
  }

  private async send(
    target: Target,
    { body, headers }: Envelope,
    isNewConnection: boolean,
    deadline: Deadline,
  ): Promise<SendResult> {
    if (deadline.hasPassed) return { failure: 'timeout', durationMs: 0 };
    const message = encodePost(target.url, headers, body);
    const startedAt = this.clock.monotonic();
    const measureMs = () => Math.round(this.clock.monotonic() - startedAt);
    try {
      const response = await this.client.send(target, message, deadline, isNewConnection);
      passCrashPoint('after-send-before-response');
      return {
        responseStatus: response.status,
        durationMs: measureMs(),
        retryAfterSeconds: this.parseRetryAfter(response),
        received: { headers: Object.fromEntries(response.headers), body: response.body.toString() },
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
  private parseRetryAfter({ headers }: Response): number | null {
    const value = headers.get('retry-after');
    if (value === undefined) return null;
    if (/^\d+$/.test(value)) return Number(value);
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - this.clock.now()) / 1_000));
  }
}

/** Provided by a demo, which sends nothing. */
export abstract class SenderOverride extends Sender {}

function toErrorCodeField(error: unknown): { readonly errorCode?: string } {
  const errorCode = findErrorCode(error);
  return errorCode === undefined ? {} : { errorCode };
}
