import { setTimeout as delay } from 'node:timers/promises';
import { EventStore } from '../../src/kernel/event-store.js';
import type { ApiResponse } from '../support/api.js';
import { readWholeLog } from '../support/read-whole-log.js';
import type { Service } from '../support/service.js';
import type { TcpProxy } from '../support/tcp-proxy.js';

const PRODUCTS = '/v1/commerce/products';
const SELLERS = 4;
const FAULT_MS = 6_000;
/** Longer than the longest wait between two automatic retries. */
const LONG_FAULT_MS = 12_000;
const TIMEOUT_MS = 90_000;
const RETRY_DELAY_MS = 100;

export interface NetworkFault {
  readonly name: string;
  readonly begin: (relay: TcpProxy) => void;
  /** Whether the fault blocks all writes. */
  readonly blocksWrites: boolean;
}

export interface Readiness {
  readonly status: string;
  readonly parts: Readonly<Record<string, { readonly status: string; readonly detail: string }>>;
}

/** The observations during one network fault. */
export interface FaultResult {
  /** Responses that are neither a success nor a 503 with `Retry-After`. */
  readonly unexpected: readonly string[];
  readonly slowestMs: number;
  readonly during: Readiness;
  /** Milliseconds from the end of the fault until a write is acknowledged and the readiness is green. */
  readonly recoveryMs: number;
}

/** Clients of a service whose connection to a store has a network fault. */
export class NetworkFaultTrial {
  private readonly acknowledged = new Set<string>();
  private readonly open = new Set<string>();
  private odd: string[] = [];
  private slowestMs = 0;
  private keys = 0;

  constructor(
    private readonly service: Service,
    private readonly credential: string,
  ) {}

  async runFault(relay: TcpProxy, { begin, blocksWrites }: NetworkFault): Promise<FaultResult> {
    [this.odd, this.slowestMs] = [[], 0];
    const closing = new AbortController();
    const sales = Promise.all(Array.from({ length: SELLERS }, () => this.sell(closing.signal)));
    await delay(RETRY_DELAY_MS);
    begin(relay);
    await delay(blocksWrites ? LONG_FAULT_MS : FAULT_MS);
    const during = await this.readReadiness();
    relay.restore();
    const recoveryMs = await this.measureRecovery();
    closing.abort();
    await sales;
    return { unexpected: this.odd, slowestMs: Math.round(this.slowestMs), during, recoveryMs };
  }

  /** Repeats the requests with an unknown outcome until the outcome is known. */
  async resolveOpenRequests(): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    for (const key of this.open) {
      while (!(await this.request(key)) && performance.now() < end) await delay(RETRY_DELAY_MS);
    }
  }

  /** Finds acknowledged writes that are not exactly once in the log. */
  async findMisrecorded(): Promise<string[]> {
    const log = await readWholeLog(this.service.get(EventStore));
    const made = Map.groupBy(
      log.filter(({ type }) => type === 'ProductCreated'),
      ({ meta }) => meta.requestId,
    );
    const unknown = [...this.open].map((key) => `${key} was never answered`);
    return [
      ...unknown,
      ...[...this.acknowledged].flatMap((key) =>
        made.get(key)?.length === 1 ? [] : [`${key}: ${made.get(key)?.length ?? 0}`],
      ),
    ];
  }

  get acknowledgements(): number {
    return this.acknowledged.size;
  }

  private async sell(closing: AbortSignal): Promise<void> {
    while (!closing.aborted) {
      await this.request(`request-${++this.keys}`);
      await delay(RETRY_DELAY_MS);
    }
  }

  /** Sends a request; returns true when its outcome is known. */
  private async request(key: string): Promise<boolean> {
    this.open.add(key);
    const asked = performance.now();
    const reply = await this.post(key);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - asked);
    if (reply.status === 201) this.acknowledged.add(key);
    else if (!isRetryable(reply)) this.odd.push(`${reply.status} ${reply.text}`);
    if (isRetryable(reply)) return false;
    return this.open.delete(key);
  }

  private post(key: string): Promise<ApiResponse> {
    const headers = { 'idempotency-key': key, 'x-request-id': key };
    return this.service.createApi(this.credential).post(PRODUCTS, { name: key }, headers);
  }

  private async measureRecovery(): Promise<number> {
    const began = performance.now();
    while (!((await this.request(`request-${++this.keys}`)) && (await this.readReadiness()).status === 'green')) {
      if (performance.now() - began > TIMEOUT_MS) break;
      await delay(RETRY_DELAY_MS);
    }
    return Math.round(performance.now() - began);
  }

  private async readReadiness(): Promise<Readiness> {
    return (await fetch(`${this.service.running.opsUrl}/health/ready`)).json() as Promise<Readiness>;
  }
}

/** Whether the response asks the client to retry after some time. */
function isRetryable({ status, headers, body }: ApiResponse): boolean {
  const isKnown = status === 503 || (status === 409 && body.code === 'idempotency_key_in_progress');
  return isKnown && headers.get('retry-after') !== null;
}
