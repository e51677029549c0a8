import { setTimeout as delay } from 'node:timers/promises';
import { Api, type Reply, type RequestHeaders } from '../support/api.js';
import { withoutSecrets, type Repetition } from '../support/invariants/answers.js';
import type { ToldRefusal } from '../support/invariants/told-refusals.js';
import type { Trace, Write } from '../support/invariants/writes.js';

const ASK_AGAIN_MS = 50;
/** Problem codes after which a client retries. */
const NOT_NOW = new Set(['idempotency_key_in_progress', 'concurrent_update']);

/** Statuses of rejections that the log must justify. */
const REFUSALS = new Set([404, 409, 422]);

export interface Wish {
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
  readonly leaves?: readonly Trace[];
}

/** A client that sends requests across all crashes of the service and records the responses. */
export class Customer {
  readonly writes: Write[] = [];
  /** The signing secrets, by the id of the request whose response showed them. */
  readonly signingSecrets = new Map<string, string>();
  /** Every 404, 409 and 422, including those after which the client retries. */
  readonly refusals: ToldRefusal[] = [];
  /** The time of the last acknowledged write, by `performance.now()`. */
  acknowledgedAt = 0;
  private readonly answered = new Map<string, { readonly wish: Wish; readonly reply: Reply }>();

  constructor(
    private readonly url: () => Promise<string>,
    private readonly credential: string,
  ) {}

  /** Sends a write; returns its response, or null without one. */
  async write(wish: Wish): Promise<Reply | null> {
    const reply = wish.key === undefined ? await this.ask(wish) : await this.askUntilAnswered(wish);
    this.note(tracesOf(wish), outcomeOf(reply));
    if (outcomeOf(reply) === 'acknowledged') this.acknowledgedAt = performance.now();
    if (reply !== null && outcomeOf(reply) === 'acknowledged') this.remember(wish, reply);
    return reply;
  }

  read(path: string): Promise<Reply> {
    return this.askUntilAnswered({ method: 'GET', path });
  }

  note(leaves: readonly Trace[], outcome: Write['outcome']): void {
    this.writes.push(...leaves.map((trace) => ({ ...trace, outcome })));
  }

  /** Repeats every request that had an idempotency key. */
  async repeatAll(): Promise<Repetition[]> {
    const repetitions = [];
    for (const [key, { wish, reply: first }] of this.answered) {
      const again = await this.askUntilAnswered(wish);
      repetitions.push({ key, first: { ...first, text: withoutSecrets(first.text) }, again });
    }
    return repetitions;
  }

  private remember(wish: Wish, reply: Reply): void {
    const { key, requestId = key } = wish;
    if (key === undefined) return;
    if (!this.answered.has(key)) this.answered.set(key, { wish, reply });
    const secret: unknown = reply.body.data.signing_secret;
    if (typeof secret === 'string') this.signingSecrets.set(requestId!, secret);
  }

  private async askUntilAnswered(wish: Wish): Promise<Reply> {
    for (;;) {
      const reply = await this.ask(wish);
      if (reply !== null && outcomeOf(reply) !== 'unknown') return reply;
      await delay(ASK_AGAIN_MS);
    }
  }

  private async ask({
    method = 'POST',
    path,
    body,
    credential = this.credential,
    headers,
    key,
    requestId = key,
  }: Wish): Promise<Reply | null> {
    const api = new Api(await this.url(), credential, headers);
    const named = { ...(key !== undefined && { 'idempotency-key': key }), ...(requestId !== undefined && { 'x-request-id': requestId }) };
    const askedAt = Date.now();
    const reply = await api.send(method, path, body, named).catch(() => null);
    if (reply !== null && REFUSALS.has(reply.status))
      this.refusals.push({ method, path, status: reply.status, code: reply.body?.code ?? reply.text, askedAt, toldAt: Date.now() });
    return reply;
  }
}

export function trace(type: string, field: string, text: string): Trace {
  return { type, field, text };
}

function tracesOf({ key, requestId = key, effect, leaves = [] }: Wish): readonly Trace[] {
  return effect === undefined ? leaves : [...leaves, trace(effect, 'requestId', requestId!)];
}

function outcomeOf(reply: Reply | null): Write['outcome'] {
  if (reply === null || reply.status >= 500 || NOT_NOW.has(reply.body?.code)) return 'unknown';
  return reply.status < 300 ? 'acknowledged' : 'refused';
}
