import { cartDecider, isOpen } from '../../../src/commerce/domain/cart.js';
import type { Cart } from '../../../src/commerce/domain/cart-state.js';
import { paymentDecider } from '../../../src/commerce/domain/payment.js';
import { sumRefunds } from '../../../src/commerce/domain/refund.js';
import { type Decider, evolve, streamOf } from '../../../src/kernel/decider.js';
import type { Fact, RecordedEvent } from '../../../src/kernel/event.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { KnownDeliveryChain } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { endpointDecider } from '../../../src/webhooks/domain/endpoint.js';
import { isReplayJobFinished, replayJobDecider } from '../../../src/webhooks/domain/replay-job.js';
import { replayLockDecider } from '../../../src/webhooks/domain/replay-lock.js';

/** A request rejected with 404, 409 or 422, with the times of request and response in milliseconds since 1970. */
export interface RejectedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly requestedAt: number;
  readonly respondedAt: number;
}

/** The longest time between the decision and the record of an append. */
const APPEND_TIMEOUT_MS = 6_000;
const ID = /\/([a-z]+_[A-Za-z0-9_-]+)/;

/**
 * Finds rejections that the log does not justify: no state of the resource during the request leads to this code. An
 * unknown code counts as unjustified.
 */
export function findUnjustifiedRejections(
  refusals: readonly RejectedRequest[],
  log: readonly RecordedEvent[],
): string[] {
  const history = new History(log);
  return refusals.filter((refusal) => !isJustified(refusal, history)).map(describeRejection);
}

function isJustified(refusal: RejectedRequest, history: History): boolean {
  const { method, path, code, requestedAt, respondedAt } = refusal;
  const id = ID.exec(path)?.[1] ?? '';
  const within: TimeSpan = { from: requestedAt - APPEND_TIMEOUT_MS, to: respondedAt };
  const chains = () => history.findChains(id, within);
  const endpoints = () =>
    history.foldStates(endpointDecider, chains()[0]?.facts.endpointId ?? id, within).map(({ status }) => status);
  switch (code) {
    case 'not_found':
      return endpoints().includes('deleted');
    case 'idempotency_key_in_progress':
      return true;
    case 'concurrent_update':
      return id !== '' && history.containsText(id, within);
    case 'validation_failed':
      return method === 'POST' && path.endsWith('/products');
    case 'cart_not_open':
      return history.foldStates(cartDecider, id, within).some((state) => isClosed(state, respondedAt));
    case 'refund_amount_exceeds_refundable':
      return history
        .foldStates(paymentDecider, id, within)
        .some((state) => state.status === 'succeeded' && sumRefunds(state.refunds.list) > 0);
    case 'endpoint_disabled':
      return endpoints().some((status) => status === 'disabled' || status === 'deleted');
    case 'delivery_in_progress':
      return chains().some(({ status }) => status === 'sending');
    case 'delivery_replayed_by_job':
      return chains().some(({ heldBy, redelivered }) => heldBy !== null || redelivered > 0);
    case 'attempts_exhausted':
      return chains().some(({ attempts, facts }) => attempts >= facts.maxAttempts);
    case 'replay_job_conflict':
      return history
        .findLockingJobs(within)
        .some((job) => history.foldStates(replayJobDecider, job, within).some((state) => !isReplayJobFinished(state)));
    case 'replay_job_finished':
      return history.foldStates(replayJobDecider, id, within).some(isReplayJobFinished);
    default:
      return false;
  }
}

function isClosed(state: Cart, now: number): boolean {
  return state.status !== 'unknown' && !isOpen(state, new Date(now).toISOString());
}

/** In milliseconds since 1970, both ends inclusive. */
interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The log, indexed for these checks. */
class History {
  private readonly streams: ReadonlyMap<string, readonly RecordedEvent[]>;
  private readonly chains = new Map<string, string>();

  constructor(private readonly log: readonly RecordedEvent[]) {
    this.streams = Map.groupBy(log, ({ stream }) => stream);
    for (const { data } of log) {
      const { deliveryId, chainId } = data as { readonly deliveryId?: string; readonly chainId?: string };
      if (deliveryId !== undefined && chainId !== undefined) this.chains.set(deliveryId, chainId);
    }
  }

  /** Returns the state at the start of the time span and each later state in it. */
  foldStates<S, E extends Fact>(decider: Decider<S, never, E>, id: string, span: TimeSpan): S[] {
    return this.foldEvents(decider, this.streams.get(streamOf(decider, id)) ?? [], span);
  }

  findChains(delivery: string, span: TimeSpan): KnownDeliveryChain[] {
    const id = this.chains.get(delivery);
    return id === undefined
      ? []
      : this.foldStates(deliveryChainDecider, id, span).filter((state) => state.status !== 'unknown');
  }

  /** Returns the replay jobs that hold a replay lock of their business. */
  findLockingJobs(span: TimeSpan): string[] {
    const streams = [...this.streams].filter(([stream]) => stream.startsWith(streamOf(replayLockDecider, '')));
    return streams.flatMap(([, events]) =>
      this.foldEvents(replayLockDecider, events, span).flatMap((places) => [...places.keys()]),
    );
  }

  /** Whether an event decided in the time span contains this text. */
  containsText(text: string, { from, to }: TimeSpan): boolean {
    return this.log.some((event) => {
      const at = parseTime(event);
      return at >= from && at <= to && `${event.stream} ${JSON.stringify(event.data)}`.includes(text);
    });
  }

  private foldEvents<S, E extends Fact>(
    decider: Decider<S, never, E>,
    events: readonly RecordedEvent[],
    { from, to }: TimeSpan,
  ): S[] {
    let state = decider.initial;
    const states = [state];
    for (const event of events) {
      if (parseTime(event) > to) break;
      state = evolve(decider, state, event);
      if (parseTime(event) <= from) states.length = 0;
      states.push(state);
    }
    return states;
  }
}

function parseTime({ meta }: RecordedEvent): number {
  return Date.parse(meta.at);
}

function describeRejection({ method, path, status, code, requestedAt, respondedAt }: RejectedRequest): string {
  const time = new Date(requestedAt).toISOString();
  return `${method} ${path}, sent at ${time}, was rejected after ${respondedAt - requestedAt} ms with ${status} ${code}`;
}
