import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { Streams } from '../../engine/streams/streams.js';
import { actorSchema } from '../../kernel/actor-schema.js';
import { fold } from '../../kernel/decider.js';
import type { Actor, RecordedEvent } from '../../kernel/event.js';
import { ownState } from '../../kernel/ownership.js';
import { type EventOf, render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { dateTime, describe, type DocumentOf, list, nullable, object, resource } from '../../kernel/schema.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { AttemptEndEvent, DeliveryChainEvent, KnownDeliveryChain } from '../domain/delivery-chain/facts.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { replayJobDecider } from '../domain/replay-job.js';
import { deliveries, deliveryFields } from '../projections/deliveries.js';

const attemptSchema = object({
  ...deliveryFields,
  requested_by: describe(
    nullable(actorSchema),
    'The requester of the replay or of the replay job; null for an automatic attempt.',
  ),
});

export const deliveryAttemptsSchema = resource('WebhookDeliveryAttempts', {
  attempts: describe(list(attemptSchema), 'All ended attempts to deliver the event to the endpoint, in their order.'),
  next_attempt_at: describe(
    nullable(dateTime),
    'The time at which the next automatic attempt is due; null when none follows.',
  ),
});

export type DeliveryAttempts = DocumentOf<typeof deliveryAttemptsSchema>;

export class RetrieveAttempts extends ContextQuery<{ deliveryId: string }, DeliveryAttempts> {}

@QueryHandler(RetrieveAttempts)
export class RetrieveAttemptsHandler implements IQueryHandler<RetrieveAttempts> {
  constructor(private readonly streams: Streams) {}

  async execute({ context, params: { deliveryId } }: RetrieveAttempts): Promise<DeliveryAttempts> {
    const parsed = parseDeliveryId(deliveryId);
    const history = parsed === null ? [] : await this.streams.loadHistory(deliveryChainDecider, parsed.chainId);
    const folded = fold(deliveryChainDecider, history as readonly unknown[] as readonly DeliveryChainEvent[]);
    const state = ownState(deliveryChainDecider, folded, context);
    if (state === null) throw Rejection.notFound();
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
    if (start?.data.replayJobId === undefined) return null;
    const [requested] = await this.streams.loadHistory(replayJobDecider, start.data.replayJobId);
    return requested?.meta.actor ?? null;
  }
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
