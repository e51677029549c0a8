import { setTimeout as delay } from 'node:timers/promises';
import { Api, type Reply, type RequestHeaders } from '../support/api.js';
import { withoutSecrets, type Repetition } from '../support/invariants/answers.js';
import type { ToldRefusal } from '../support/invariants/told-refusals.js';
import type { Trace, Write } from '../support/invariants/writes.js';

const ASK_AGAIN_MS = 50;
/** Refusals that say: ask again. */
const NOT_NOW = new Set(['idempotency_key_in_progress', 'concurrent_update']);

/** What is told of the log, and has to be borne out by it. */
const REFUSALS = new Set([404, 409, 422]);

export interface Wish {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Who asks, when it is not the seller. */
  readonly credential?: string;
  readonly headers?: RequestHeaders;
  /** With one it is asked again until it is answered. Without one, no answer is the end of it. */
  readonly key?: string;
  /** Sent with every try, and recorded with what the write does. The key, unless it is used for something else again. */
  readonly requestId?: string;
  /** The event that it leaves, once, under its request id. */
  readonly effect?: string;
  readonly leaves?: readonly Trace[];
}

/** Asks for things, through all the deaths of the service, and remembers what it was told. */
export class Customer {
  readonly writes: Write[] = [];
  /** By the request that it was told to. */
  readonly signingSecrets = new Map<string, string>();
  /** Every 404, 409 and 422, also those that say: ask again. */
  readonly refusals: ToldRefusal[] = [];
  /** When a write was acknowledged last, as `performance.now()` has it. */
  acknowledgedAt = 0;
  private readonly answered = new Map<string, { readonly wish: Wish; readonly reply: Reply }>();

  constructor(
    private readonly url: () => Promise<string>,
    private readonly credential: string,
  ) {}

  /** The answer, whatever it is; null when there was none. */
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

  /** Asks once more for everything that was done under a key. */
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
