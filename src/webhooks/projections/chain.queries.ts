import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { fold } from '../../kernel/decider.js';
import type { Actor, Recorded } from '../../kernel/event.js';
import { render, type EventOf } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { chain, type ChainEvent, type EndOfAttempt, type KnownChain } from '../domain/chain.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import { replayJob } from '../domain/replay-job.js';
import { deliveries, type DeliveryDocument } from './deliveries.js';

/** An attempt; `requested_by` names the requester of a replay. */
export interface AttemptView extends DeliveryDocument {
  readonly requested_by: Actor | null;
}

export interface ChainView {
  /** Ordered by attempt number. */
  readonly attempts: readonly AttemptView[];
  /** The due time of the next automatic attempt. */
  readonly next_attempt_at: string | null;
}

/** Retrieves all attempts of the delivery chain to which this delivery belongs. */
export class RetrieveAttempts extends Query<ChainView> {
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

  async execute({ context, deliveryId }: RetrieveAttempts): Promise<ChainView> {
    const place = placeOfDelivery(deliveryId);
    const history = place === null ? [] : await this.streams.history(chain, place.chainId);
    const state = ownChain(history, context);
    const ids = history.filter(isEnd).map(({ data }) => data.deliveryId);
    if (!ids.includes(deliveryId)) throw Rejection.notFound();
    const starts = new Map(history.filter(isStart).map((start) => [start.data.deliveryId, start]));
    const attempts = ids.map(async (id) => ({ ...render(deliveries, id, history), requested_by: await this.requesterOf(starts.get(id)) }));
    return { attempts: await Promise.all(attempts), next_attempt_at: dueAtOf(state) };
  }

  /** Returns the requester of a replay or, for the attempt of a replay job, the requester of the job. */
  private async requesterOf(start: EventOf<ChainEvent, 'AttemptStarted'> | undefined): Promise<Actor | null> {
    if (start?.data.kind === 'replay') return start.meta.actor;
    if (start?.data.kind !== 'job' || start.data.replayJobId === undefined) return null;
    const [requested] = await this.streams.history(replayJob, start.data.replayJobId);
    return requested?.meta.actor ?? null;
  }
}

function ownChain(history: readonly Recorded[], { business, mode }: Context): KnownChain {
  const state = fold(chain, history as readonly unknown[] as readonly ChainEvent[]);
  if (state.status === 'unknown' || state.facts.businessId !== business || state.facts.mode !== mode) throw Rejection.notFound();
  return state;
}

function isStart(event: Recorded): event is EventOf<ChainEvent, 'AttemptStarted'> {
  return event.type === 'AttemptStarted';
}

function isEnd(event: Recorded): event is Recorded<string, EndOfAttempt['data']> {
  const { type } = event;
  return type === 'AttemptSucceeded' || type === 'AttemptFailed' || type === 'AttemptLost';
}

function dueAtOf(state: KnownChain): string | null {
  return state.status === 'waiting' || state.status === 'sending' ? state.dueAt : null;
}
