import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { fold } from '../../kernel/decider.js';
import type { Recorded } from '../../kernel/event.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { chain, type ChainEvent, type EndOfAttempt, type KnownChain } from '../domain/chain.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import { deliveries, type DeliveryDocument } from './deliveries.js';

export interface ChainView {
  /** In their order. */
  readonly attempts: readonly DeliveryDocument[];
  /** Of the automatic attempt that is to follow. */
  readonly next_attempt_at: string | null;
}

/** Every attempt at what a delivery tells, to the same endpoint. */
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
    return { attempts: ids.map((id) => render(deliveries, id, history)), next_attempt_at: dueAtOf(state) };
  }
}

function ownChain(history: readonly Recorded[], { business, mode }: Context): KnownChain {
  const state = fold(chain, history as readonly unknown[] as readonly ChainEvent[]);
  if (state.status === 'unknown' || state.facts.businessId !== business || state.facts.mode !== mode) throw Rejection.notFound();
  return state;
}

function isEnd(event: Recorded): event is Recorded<string, EndOfAttempt['data']> {
  const { type } = event;
  return type === 'AttemptSucceeded' || type === 'AttemptFailed' || type === 'AttemptLost';
}

function dueAtOf(state: KnownChain): string | null {
  return state.status === 'waiting' || state.status === 'sending' ? state.dueAt : null;
}
