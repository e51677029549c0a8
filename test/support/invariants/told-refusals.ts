import { cart, isOpen, type Cart } from '../../../src/commerce/domain/cart.js';
import { evolve, streamOf, type Decider } from '../../../src/kernel/decider.js';
import type { Fact, Recorded } from '../../../src/kernel/event.js';
import { chain, type KnownChain } from '../../../src/webhooks/domain/chain.js';
import { endpoint } from '../../../src/webhooks/domain/endpoint.js';
import { isOver, replayJob } from '../../../src/webhooks/domain/replay-job.js';
import { replayPlaces } from '../../../src/webhooks/domain/replay-places.js';

/** A request rejected with 404, 409 or 422, with the times of request and response in milliseconds since 1970. */
export interface ToldRefusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly askedAt: number;
  readonly toldAt: number;
}

/** The longest time between the decision and the record of an append. */
const UNDER_WAY_MS = 6_000;
const ID = /\/([a-z]+_[A-Za-z0-9_-]+)/;

/**
 * Finds rejections that the log does not justify: no state of the resource during the request leads to this code. An
 * unknown code counts as unjustified.
 */
export function unfoundedRefusals(refusals: readonly ToldRefusal[], log: readonly Recorded[]): string[] {
  const history = new History(log);
  return refusals.filter((refusal) => !isFounded(refusal, history)).map(sentenceOf);
}

function isFounded(refusal: ToldRefusal, history: History): boolean {
  const { method, path, code, askedAt, toldAt } = refusal;
  const id = ID.exec(path)?.[1] ?? '';
  const within: Span = { from: askedAt - UNDER_WAY_MS, to: toldAt };
  const chains = () => history.chainsOf(id, within);
  const endpoints = () => history.states(endpoint, chains()[0]?.facts.endpointId ?? id, within).map(({ status }) => status);
  switch (code) {
    case 'not_found':
      return endpoints().includes('deleted');
    case 'idempotency_key_in_progress':
      return true;
    case 'concurrent_update':
      return id !== '' && history.names(id, within);
    case 'validation_failed':
      return method === 'POST' && path.endsWith('/products');
    case 'cart_not_open':
      return history.states(cart, id, within).some((state) => isClosed(state, toldAt));
    case 'endpoint_disabled':
      return endpoints().some((status) => status === 'disabled' || status === 'deleted');
    case 'delivery_in_progress':
      return chains().some(({ status }) => status === 'sending');
    case 'delivery_replayed_by_job':
      return chains().some(({ heldBy, redelivered }) => heldBy !== null || redelivered > 0);
    case 'attempts_exhausted':
      return chains().some(({ attempts, facts }) => attempts >= facts.maxAttempts);
    case 'replay_job_conflict':
      return history.placedJobs(within).some((job) => history.states(replayJob, job, within).some((state) => !isOver(state)));
    case 'replay_job_finished':
      return history.states(replayJob, id, within).some(isOver);
    default:
      return false;
  }
}

function isClosed(state: Cart, now: number): boolean {
  return state.status !== 'unknown' && !isOpen(state, new Date(now).toISOString());
}

/** In milliseconds since 1970, both ends inclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The log, indexed for these checks. */
class History {
  private readonly streams: ReadonlyMap<string, readonly Recorded[]>;
  private readonly chains = new Map<string, string>();

  constructor(private readonly log: readonly Recorded[]) {
    this.streams = Map.groupBy(log, ({ stream }) => stream);
    for (const { data } of log) {
      const { deliveryId, chainId } = data as { readonly deliveryId?: string; readonly chainId?: string };
      if (deliveryId !== undefined && chainId !== undefined) this.chains.set(deliveryId, chainId);
    }
  }

  /** Returns the state at the start of the time span and each later state in it. */
  states<S, E extends Fact>(decider: Decider<S, never, E>, id: string, span: Span): S[] {
    return this.statesOf(decider, this.streams.get(streamOf(decider, id)) ?? [], span);
  }

  chainsOf(delivery: string, span: Span): KnownChain[] {
    const id = this.chains.get(delivery);
    return id === undefined ? [] : this.states(chain, id, span).filter((state) => state.status !== 'unknown');
  }

  /** Returns the replay jobs that hold a replay lock of their business. */
  placedJobs(span: Span): string[] {
    const streams = [...this.streams].filter(([stream]) => stream.startsWith(streamOf(replayPlaces, '')));
    return streams.flatMap(([, events]) => this.statesOf(replayPlaces, events, span).flatMap((places) => [...places.keys()]));
  }

  /** Whether an event decided in the time span contains this text. */
  names(text: string, { from, to }: Span): boolean {
    return this.log.some((event) => {
      const at = timeOf(event);
      return at >= from && at <= to && `${event.stream} ${JSON.stringify(event.data)}`.includes(text);
    });
  }

  private statesOf<S, E extends Fact>(decider: Decider<S, never, E>, events: readonly Recorded[], { from, to }: Span): S[] {
    let state = decider.initial;
    const states = [state];
    for (const event of events) {
      if (timeOf(event) > to) break;
      state = evolve(decider, state, event);
      if (timeOf(event) <= from) states.length = 0;
      states.push(state);
    }
    return states;
  }
}

function timeOf({ meta }: Recorded): number {
  return Date.parse(meta.at);
}

function sentenceOf({ method, path, status, code, askedAt, toldAt }: ToldRefusal): string {
  const time = new Date(askedAt).toISOString();
  return `${method} ${path}, sent at ${time}, was rejected after ${toldAt - askedAt} ms with ${status} ${code}`;
}
