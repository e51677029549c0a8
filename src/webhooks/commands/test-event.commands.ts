import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { describe, type DocumentOf, enumOf, id, integer, resource } from '../../kernel/schema.js';
import type { Destination } from '../delivery/destinations.js';
import { toReceiver } from '../delivery/receiver.js';
import { findStartedAttempt, SynchronousAttempts } from '../delivery/synchronous-attempts.js';
import { toTestEventPayload } from '../delivery/test-event-payload.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainFacts } from '../domain/delivery-chain/facts.js';
import { deliveryChainIdOf } from '../domain/delivery-id.js';
import { endpointDecider, type KnownEndpoint } from '../domain/endpoint.js';
import { FIRST_VERSION, TEST_TYPE } from '../domain/event-types.js';
import { testEventLimitDecider } from '../domain/test-event-limit.js';
import { deliveries, failureSchema } from '../projections/deliveries.js';

export const testEventSchema = resource('TestEventResult', {
  delivery_id: describe(id('whd'), 'The id of the delivery, which is the record of the attempt.'),
  duration_ms: describe(
    integer,
    'The duration of the attempt up to the end of the response, in ms; 0 when nothing was sent or the outcome is unknown.',
    120,
  ),
  response_status: describe(integer, 'The HTTP status of the response; 0 without a response.', 200),
  status: describe(enumOf('success', 'failed'), '`success` after a 2xx, and `failed` after any other outcome.'),
  failure: failureSchema,
});

export type TestEventResult = DocumentOf<typeof testEventSchema>;

/** An example event of a type that the caller named. */
export interface SampleEvent {
  readonly type: string;
  readonly data: object;
}

interface TestEventRequest {
  readonly endpointId: string;
  /** Null for the default test event, which names its endpoint. */
  readonly sample: SampleEvent | null;
}

export class SendTestEvent extends ContextCommand<TestEventRequest, TestEventResult> {}

@CommandHandler(SendTestEvent)
export class SendTestEventHandler implements ICommandHandler<SendTestEvent> {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
    private readonly attempts: SynchronousAttempts,
  ) {}

  async execute({ context, params: { endpointId, sample } }: SendTestEvent): Promise<TestEventResult> {
    const { chainId } = toChainIdentity(endpointId, context);
    const started = findStartedAttempt(context, await this.streams.loadHistory(deliveryChainDecider, chainId));
    if (started !== null) return toResult(await this.attempts.waitForEnd(chainId, started, context), context);

    const endpoint = await this.owned.require(endpointDecider, endpointId, context);
    const facts = toChainFacts(endpoint, sample, context);
    const receiver = toReceiver(endpointId, endpoint.settings);
    return this.attempts.runInSlot(receiver, (destination) => this.send(facts, context, destination));
  }

  private async send(facts: DeliveryChainFacts, context: Context, destination: Destination): Promise<TestEventResult> {
    const { chainId, endpointId } = facts;
    await this.streams.execute(
      testEventLimitDecider,
      endpointId,
      { type: 'RequestTestEvent', endpointId, chainId },
      createChildContext(context, 'allowance'),
    );
    const start = { type: 'SendTest', facts } as const;
    return toResult(await this.attempts.send(chainId, start, context, destination, toTestEventPayload(facts)), context);
  }
}

/**
 * Derives the ids from the command alone, so that a repeated command finds its attempt even after the endpoint was
 * deleted.
 */
function toChainIdentity(
  endpointId: string,
  { at, commandId }: Context,
): Pick<DeliveryChainFacts, 'chainId' | 'eventId' | 'occurredAt'> {
  const eventId = idOf('evt', at, commandId);
  const occurredAt = toIso(at);
  return { chainId: deliveryChainIdOf(occurredAt, eventId, endpointId), eventId, occurredAt };
}

function toChainFacts(
  { id: endpointId, business, mode, disabledTimes }: KnownEndpoint,
  sample: SampleEvent | null,
  context: Context,
): DeliveryChainFacts {
  return {
    ...toChainIdentity(endpointId, context),
    eventType: sample?.type ?? TEST_TYPE,
    eventVersion: FIRST_VERSION,
    endpointId,
    businessId: business,
    mode,
    test: true,
    maxAttempts: 1,
    disabledTimes,
    ...(sample !== null && { sample: sample.data }),
  };
}

function toResult(history: readonly RecordedEvent[], context: Context): TestEventResult {
  const record = render(deliveries, findStartedAttempt(context, history)!.deliveryId, history);
  return {
    delivery_id: record.id,
    duration_ms: record.duration_ms ?? 0,
    response_status: record.response_status ?? 0,
    status: record.status === 'success' ? 'success' : 'failed',
    failure: record.failure,
  };
}
