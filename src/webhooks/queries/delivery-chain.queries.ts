import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { fold } from '../../kernel/decider.js';
import type { Actor, RecordedEvent } from '../../kernel/event.js';
import { type EventOf, render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { deliveryChain } from '../domain/delivery-chain/delivery-chain.js';
import type { AttemptEndEvent, DeliveryChainEvent, KnownDeliveryChain } from '../domain/delivery-chain/facts.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { replayJob } from '../domain/replay-job.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';

/** An attempt; `requested_by` names the requester of a replay. */
export interface AttemptView extends DeliveryDocument {
  readonly requested_by: Actor | null;
}

export interface DeliveryChainView {
  /** Ordered by attempt number. */
  readonly attempts: readonly AttemptView[];
  /** The due time of the next automatic attempt. */
  readonly next_attempt_at: string | null;
}

/** Retrieves all attempts of the delivery chain to which this delivery belongs. */
export class RetrieveAttempts extends Query<DeliveryChainView> {
  constructor(
    readonly context: Context,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@QueryHandler(RetrieveAttempts)
export class RetrieveAttemptsHandler implements IQueryHandler<RetrieveAttempts> {
  constructor(private readonly streams: Streams) {}

  async execute({ context, deliveryId }: RetrieveAttempts): Promise<DeliveryChainView> {
    const parsed = parseDeliveryId(deliveryId);
    const history = parsed === null ? [] : await this.streams.loadHistory(deliveryChain, parsed.chainId);
    const state = requireOwnedChain(history, context);
    const ids = history.filter(isEnd).map(({ data }) => data.deliveryId);
    if (!ids.includes(deliveryId)) throw Rejection.notFound();
    const starts = new Map(history.filter(isStart).map((start) => [start.data.deliveryId, start]));
    const attempts = ids.map(async (id) => ({
      ...render(deliveries, id, history),
      requested_by: await this.findRequester(starts.get(id)),
    }));
    return { attempts: await Promise.all(attempts), next_attempt_at: findDueAt(state) };
  }

  /** Returns the requester of a replay or, for the attempt of a replay job, the requester of the job. */
  private async findRequester(start: EventOf<DeliveryChainEvent, 'AttemptStarted'> | undefined): Promise<Actor | null> {
    if (start?.data.kind === 'replay') return start.meta.actor;
    if (start?.data.kind !== 'job' || start.data.replayJobId === undefined) return null;
    const [requested] = await this.streams.loadHistory(replayJob, start.data.replayJobId);
    return requested?.meta.actor ?? null;
  }
}

function requireOwnedChain(history: readonly RecordedEvent[], { business, mode }: Context): KnownDeliveryChain {
  const state = fold(deliveryChain, history as readonly unknown[] as readonly DeliveryChainEvent[]);
  if (state.status === 'unknown' || state.facts.businessId !== business || state.facts.mode !== mode)
    throw Rejection.notFound();
  return state;
}

function isStart(event: RecordedEvent): event is EventOf<DeliveryChainEvent, 'AttemptStarted'> {
  return event.type === 'AttemptStarted';
}

function isEnd(event: RecordedEvent): event is RecordedEvent<string, AttemptEndEvent['data']> {
  const { type } = event;
  return type === 'AttemptSucceeded' || type === 'AttemptFailed' || type === 'AttemptLost';
}

function findDueAt(state: KnownDeliveryChain): string | null {
  return state.status === 'waiting' || state.status === 'sending' ? state.dueAt : null;
}
