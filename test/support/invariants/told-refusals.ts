import type { Recorded } from '../../../src/kernel/event.js';

/** A 404, 409 or 422, and when it was asked for and told, in milliseconds since 1970. */
export interface ToldRefusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly askedAt: number;
  readonly toldAt: number;
}

/** An append may be recorded so much later than it was decided. */
const UNDER_WAY_MS = 6_000;
const ID = /\/([a-z]+_[A-Za-z0-9_-]+)/;

/**
 * Refusals that the log does not bear out: nothing that it holds from the time of the answer or before makes them true. A code that is not
 * known here is one of them.
 */
export function unfoundedRefusals(refusals: readonly ToldRefusal[], log: readonly Recorded[]): string[] {
  const facts = new Facts(log);
  return refusals.filter((refusal) => !isFounded(refusal, facts)).map(sentenceOf);
}

function isFounded(refusal: ToldRefusal, facts: Facts): boolean {
  const { method, path, code, askedAt, toldAt } = refusal;
  const id = ID.exec(path)?.[1] ?? null;
  const chain = id === null ? null : facts.chainOf(id);
  const has = (types: readonly string[], of: string | null) => of !== null && facts.has(types, of, toldAt);
  switch (code) {
    case 'not_found':
      return has(['EndpointDeleted'], id);
    case 'idempotency_key_in_progress':
      return true;
    case 'concurrent_update':
      return id !== null && facts.hasBetween(id, askedAt - UNDER_WAY_MS, toldAt);
    case 'validation_failed':
      return method === 'POST' && path.endsWith('/products');
    case 'cart_not_open':
      return has(['CartCheckedOut'], id);
    case 'endpoint_disabled':
      return has(['EndpointDisabled', 'EndpointDeleted'], facts.endpointOf(chain) ?? id);
    case 'delivery_in_progress':
      return has(['AttemptStarted'], chain);
    case 'delivery_replayed_by_job':
      return has(['ChainHeld'], chain);
    case 'attempts_exhausted':
      return has(['AttemptFailed', 'AttemptLost', 'ChainAbandoned'], chain);
    case 'replay_job_conflict':
      return facts.hasBetween('ReplayJobRequested', 0, toldAt);
    case 'replay_job_finished':
      return has(['ReplayJobCompleted', 'ReplayJobCancelled', 'ReplayJobFailed'], id);
    default:
      return false;
  }
}

/** The log by what is asked of it here. */
class Facts {
  private readonly byType: ReadonlyMap<string, readonly Fact[]>;
  private readonly chains = new Map<string, string>();
  private readonly facts: readonly Fact[];

  constructor(log: readonly Recorded[]) {
    this.facts = log.map((event) => ({
      event,
      at: Date.parse(event.meta.at),
      text: `${event.type} ${event.stream} ${JSON.stringify(event.data)}`,
    }));
    this.byType = Map.groupBy(this.facts, ({ event }) => event.type);
    for (const { data } of log) {
      const { deliveryId, chainId } = data as { readonly deliveryId?: string; readonly chainId?: string };
      if (deliveryId !== undefined && chainId !== undefined) this.chains.set(deliveryId, chainId);
    }
  }

  chainOf(delivery: string): string | null {
    return this.chains.get(delivery) ?? null;
  }

  endpointOf(chain: string | null): string | null {
    const planned = chain === null ? undefined : this.facts.find(({ event }) => event.stream.endsWith(chain));
    return planned === undefined ? null : (/whs_[A-Za-z0-9_-]+/.exec(planned.text)?.[0] ?? null);
  }

  /** One of these types that names `id`, decided by then. */
  has(types: readonly string[], id: string, by: number): boolean {
    return types.some((type) => this.byType.get(type)?.some(({ at, text }) => at <= by && text.includes(id)));
  }

  /** Any event that names `text`, decided between these times. */
  hasBetween(text: string, from: number, to: number): boolean {
    return this.facts.some((fact) => fact.at >= from && fact.at <= to && fact.text.includes(text));
  }
}

interface Fact {
  readonly event: Recorded;
  readonly at: number;
  readonly text: string;
}

function sentenceOf({ method, path, status, code, askedAt, toldAt }: ToldRefusal): string {
  const time = new Date(askedAt).toISOString();
  return `${method} ${path}, asked at ${time}, was refused after ${toldAt - askedAt} ms with ${status} ${code}`;
}
