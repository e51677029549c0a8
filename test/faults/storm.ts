import { setTimeout as delay } from 'node:timers/promises';
import { EventStore } from '../../src/kernel/event-store.js';
import type { Reply } from '../support/api.js';
import type { Relay } from '../support/relay.js';
import type { Service } from '../support/service.js';
import { wholeLog } from '../support/whole-log.js';

const PRODUCTS = '/v1/commerce/products';
const SELLERS = 4;
const STORM_MS = 6_000;
/** Longer than what repeats by itself waits between two tries. */
const LONG_STORM_MS = 12_000;
const PATIENCE_MS = 90_000;
const ASK_AGAIN_MS = 100;

export interface Weather {
  readonly name: string;
  readonly begin: (relay: Relay) => void;
  /** Nothing can be written while it lasts. */
  readonly away: boolean;
}

export interface Readiness {
  readonly status: string;
  readonly parts: Readonly<Record<string, { readonly status: string; readonly detail: string }>>;
}

/** What was seen of one storm. */
export interface Seen {
  /** Answers that were neither a success nor a 503 that says when to come back. */
  readonly odd: readonly string[];
  readonly slowestMs: number;
  readonly during: Readiness;
  /** From the end of the storm to a write that is acknowledged and a readiness that is green. */
  readonly recoveryMs: number;
}

/** Sellers at a service, with something between it and one of its stores. */
export class Storm {
  private readonly acknowledged = new Set<string>();
  private readonly open = new Set<string>();
  private odd: string[] = [];
  private slowestMs = 0;
  private keys = 0;

  constructor(
    private readonly service: Service,
    private readonly credential: string,
  ) {}

  async over(relay: Relay, { begin, away }: Weather): Promise<Seen> {
    [this.odd, this.slowestMs] = [[], 0];
    const closing = new AbortController();
    const selling = Promise.all(Array.from({ length: SELLERS }, () => this.sell(closing.signal)));
    await delay(ASK_AGAIN_MS);
    begin(relay);
    await delay(away ? LONG_STORM_MS : STORM_MS);
    const during = await this.readiness();
    relay.heal();
    const recoveryMs = await this.recovery();
    closing.abort();
    await selling;
    return { odd: this.odd, slowestMs: Math.round(this.slowestMs), during, recoveryMs };
  }

  /** Whoever was told nothing certain asks again until it is. */
  async settle(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (const key of this.open) {
      while (!(await this.ask(key)) && performance.now() < end) await delay(ASK_AGAIN_MS);
    }
  }

  /** Keys under which something was acknowledged, and is not in the log exactly once. */
  async misrecorded(): Promise<string[]> {
    const log = await wholeLog(this.service.get(EventStore));
    const made = Map.groupBy(
      log.filter(({ type }) => type === 'ProductCreated'),
      ({ meta }) => meta.requestId,
    );
    const unknown = [...this.open].map((key) => `${key} was never answered`);
    return [
      ...unknown,
      ...[...this.acknowledged].flatMap((key) => (made.get(key)?.length === 1 ? [] : [`${key}: ${made.get(key)?.length ?? 0}`])),
    ];
  }

  get acknowledgements(): number {
    return this.acknowledged.size;
  }

  private async sell(closing: AbortSignal): Promise<void> {
    while (!closing.aborted) {
      await this.ask(`storm-${++this.keys}`);
      await delay(ASK_AGAIN_MS);
    }
  }

  /** True once it is certain. */
  private async ask(key: string): Promise<boolean> {
    this.open.add(key);
    const asked = performance.now();
    const reply = await this.post(key);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - asked);
    if (reply.status === 201) this.acknowledged.add(key);
    else if (!isNotNow(reply)) this.odd.push(`${reply.status} ${reply.text}`);
    if (isNotNow(reply)) return false;
    return this.open.delete(key);
  }

  private post(key: string): Promise<Reply> {
    const headers = { 'idempotency-key': key, 'x-request-id': key };
    return this.service.api(this.credential).post(PRODUCTS, { name: key }, headers);
  }

  private async recovery(): Promise<number> {
    const began = performance.now();
    while (!((await this.ask(`storm-${++this.keys}`)) && (await this.readiness()).status === 'green')) {
      if (performance.now() - began > PATIENCE_MS) break;
      await delay(ASK_AGAIN_MS);
    }
    return Math.round(performance.now() - began);
  }

  private async readiness(): Promise<Readiness> {
    return (await fetch(`${this.service.running.opsUrl}/health/ready`)).json() as Promise<Readiness>;
  }
}

/** Told to come back, and when. */
function isNotNow({ status, headers, body }: Reply): boolean {
  const isKnown = status === 503 || (status === 409 && body.code === 'idempotency_key_in_progress');
  return isKnown && headers.get('retry-after') !== null;
}
