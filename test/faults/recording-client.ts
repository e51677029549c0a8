import { setTimeout as delay } from 'node:timers/promises';
import { Api, type ApiResponse, type RequestHeaders } from '../support/api.js';
import { removeSecrets, type Repetition } from '../support/invariants/idempotent-responses.js';
import type { RejectedRequest } from '../support/invariants/rejections.js';
import type { Write, WriteTrace } from '../support/invariants/writes.js';

const RETRY_DELAY_MS = 50;
/** Problem codes after which a client retries. */
const RETRYABLE_CODES = new Set(['idempotency_key_in_progress', 'concurrent_update']);

/** Statuses of rejections that the log must justify. */
const REJECTION_STATUSES = new Set([404, 409, 422]);

export interface ClientRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The credential of the request; by default the seller's. */
  readonly credential?: string;
  readonly headers?: RequestHeaders;
  /** The idempotency key. A request with a key is retried until it has a response; a request without one is not. */
  readonly key?: string;
  /** The request id, sent with every try and recorded with the events. By default the key. */
  readonly requestId?: string;
  /** The type of the one event recorded under the request id. */
  readonly effect?: string;
  readonly traces?: readonly WriteTrace[];
}

/** A client that sends requests across all crashes of the service and records the responses. */
export class RecordingClient {
  readonly writes: Write[] = [];
  /** The signing secrets, by the id of the request whose response showed them. */
  readonly signingSecrets = new Map<string, string>();
  /** Every 404, 409 and 422, including those after which the client retries. */
  readonly rejections: RejectedRequest[] = [];
  /** The time of the last acknowledged write, by `performance.now()`. */
  acknowledgedAt = 0;
  private readonly answered = new Map<string, { readonly request: ClientRequest; readonly reply: ApiResponse }>();

  constructor(
    private readonly url: () => Promise<string>,
    private readonly credential: string,
  ) {}

  /** Sends a write; returns its response, or null without one. */
  async write(request: ClientRequest): Promise<ApiResponse | null> {
    const reply = request.key === undefined ? await this.request(request) : await this.requestUntilAnswered(request);
    this.recordWrites(collectTraces(request), toOutcome(reply));
    if (toOutcome(reply) === 'acknowledged') this.acknowledgedAt = performance.now();
    if (reply !== null && toOutcome(reply) === 'acknowledged') this.recordResponse(request, reply);
    return reply;
  }

  read(path: string): Promise<ApiResponse> {
    return this.requestUntilAnswered({ method: 'GET', path });
  }

  recordWrites(leaves: readonly WriteTrace[], outcome: Write['outcome']): void {
    this.writes.push(...leaves.map((trace) => ({ ...trace, outcome })));
  }

  /** Repeats every request that had an idempotency key. */
  async repeatAll(): Promise<Repetition[]> {
    const repetitions = [];
    for (const [key, { request, reply: first }] of this.answered) {
      const again = await this.requestUntilAnswered(request);
      repetitions.push({ key, first: { ...first, text: removeSecrets(first.text) }, again });
    }
    return repetitions;
  }

  private recordResponse(request: ClientRequest, reply: ApiResponse): void {
    const { key, requestId = key } = request;
    if (key === undefined) return;
    if (!this.answered.has(key)) this.answered.set(key, { request, reply });
    const secret: unknown = reply.body.data.signing_secret;
    if (typeof secret === 'string') this.signingSecrets.set(requestId!, secret);
  }

  private async requestUntilAnswered(request: ClientRequest): Promise<ApiResponse> {
    for (;;) {
      const reply = await this.request(request);
      if (reply !== null && toOutcome(reply) !== 'unknown') return reply;
      await delay(RETRY_DELAY_MS);
    }
  }

  private async request({
    method = 'POST',
    path,
    body,
    credential = this.credential,
    headers,
    key,
    requestId = key,
  }: ClientRequest): Promise<ApiResponse | null> {
    const api = new Api(await this.url(), credential, headers);
    const named = {
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    };
    const askedAt = Date.now();
    const reply = await api.send(method, path, body, named).catch(() => null);
    if (reply !== null && REJECTION_STATUSES.has(reply.status))
      this.rejections.push({
        method,
        path,
        status: reply.status,
        code: reply.body?.code ?? reply.text,
        requestedAt: askedAt,
        respondedAt: Date.now(),
      });
    return reply;
  }
}

export function createTrace(type: string, field: string, text: string): WriteTrace {
  return { type, field, text };
}

function collectTraces({ key, requestId = key, effect, traces = [] }: ClientRequest): readonly WriteTrace[] {
  return effect === undefined ? traces : [...traces, createTrace(effect, 'requestId', requestId!)];
}

function toOutcome(reply: ApiResponse | null): Write['outcome'] {
  if (reply === null || reply.status >= 500 || RETRYABLE_CODES.has(reply.body?.code)) return 'unknown';
  return reply.status < 300 ? 'acknowledged' : 'refused';
}
