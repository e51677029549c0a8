import { setTimeout as delay } from 'node:timers/promises';
import { Api, type Reply } from '../support/api.js';
import type { Trace, Write } from '../support/invariants/writes.js';

const ASK_AGAIN_MS = 50;
/** Refusals that say: ask again. */
const NOT_NOW = new Set(['idempotency_key_in_progress', 'concurrent_update']);

export interface Wish {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  /** Who asks, when it is not the seller. */
  readonly credential?: string;
  /** With one it is asked again until it is answered. Without one, no answer is the end of it. */
  readonly key?: string;
  readonly leaves?: readonly Trace[];
}

/** Asks for things, through all the deaths of the service, and remembers what it was told. */
export class Customer {
  readonly writes: Write[] = [];

  constructor(
    private readonly url: () => Promise<string>,
    private readonly credential: string,
  ) {}

  /** The answer, whatever it is; null when there was none. */
  async write(wish: Wish): Promise<Reply | null> {
    const reply = wish.key === undefined ? await this.ask(wish) : await this.askUntilAnswered(wish);
    this.note(wish.leaves ?? [], outcomeOf(reply));
    return reply;
  }

  read(path: string): Promise<Reply> {
    return this.askUntilAnswered({ method: 'GET', path });
  }

  note(leaves: readonly Trace[], outcome: Write['outcome']): void {
    this.writes.push(...leaves.map((trace) => ({ ...trace, outcome })));
  }

  private async askUntilAnswered(wish: Wish): Promise<Reply> {
    for (;;) {
      const reply = await this.ask(wish);
      if (reply !== null && outcomeOf(reply) !== 'unknown') return reply;
      await delay(ASK_AGAIN_MS);
    }
  }

  private async ask({ method = 'POST', path, body, credential = this.credential, key }: Wish): Promise<Reply | null> {
    const api = new Api(await this.url(), credential);
    return api.send(method, path, body, key === undefined ? {} : { 'idempotency-key': key }).catch(() => null);
  }
}

function outcomeOf(reply: Reply | null): Write['outcome'] {
  if (reply === null || reply.status >= 500 || NOT_NOW.has(reply.body?.code)) return 'unknown';
  return reply.status < 300 ? 'acknowledged' : 'refused';
}
