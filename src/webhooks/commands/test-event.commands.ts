import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import { iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { chain, type ChainFacts } from '../domain/chain.js';
import { chainIdOf } from '../domain/delivery-id.js';
import { endpoint, ofBusiness, type KnownEndpoint } from '../domain/endpoint.js';
import { FIRST_VERSION, TEST_TYPE } from '../domain/event-types.js';
import type { ShownFailure } from '../domain/shown-failure.js';
import { testAllowance } from '../domain/test-allowance.js';
import { deliveries } from '../projections/deliveries.js';
import { testTellingOf } from '../sending/test-telling.js';
import { attemptBegunBy, WatchedAttempts } from '../sending/watched-attempts.js';

/** The numbers are zero when nothing was sent or no response was received. */
export interface TestEventResult {
  readonly delivery_id: string;
  readonly duration_ms: number;
  readonly response_status: number;
  readonly status: 'success' | 'failed';
  readonly failure: ShownFailure | null;
}

/** An example event of a type that the caller named. */
export interface Sample {
  readonly type: string;
  readonly data: object;
}

export class SendTestEvent extends Command<TestEventResult> {
  /** @param sample null for the default test event, which names its endpoint */
  constructor(
    readonly context: Context,
    readonly endpointId: string,
    readonly sample: Sample | null = null,
  ) {
    super();
  }
}

@CommandHandler(SendTestEvent)
export class SendTestEventHandler implements ICommandHandler<SendTestEvent> {
  constructor(
    private readonly streams: Streams,
    private readonly watched: WatchedAttempts,
  ) {}

  async execute({ context, endpointId, sample }: SendTestEvent): Promise<TestEventResult> {
    const { chainId } = placeOf(endpointId, context);
    const begun = attemptBegunBy(context, await this.streams.history(chain, chainId));
    if (begun !== null) return resultOf(await this.watched.ended(chainId, begun, context), context);

    const facts = factsOf(ofBusiness(await this.streams.state(endpoint, endpointId), context), sample, context);
    return this.watched.inSlot(endpointId, () => this.send(facts, context));
  }

  private async send(facts: ChainFacts, context: Context): Promise<TestEventResult> {
    const { chainId, endpointId } = facts;
    await this.streams.execute(testAllowance, endpointId, { type: 'RequestTestEvent', endpointId, chainId }, step(context, 'allowance'));
    const start = { type: 'SendTest', facts, leaseMs: this.watched.leaseMs('test') } as const;
    return resultOf(await this.watched.send(chainId, start, context, testTellingOf(facts)), context);
  }
}

/**
 * Derives the ids from the command alone, so that a repeated command finds its attempt even after the endpoint was
 * deleted.
 */
function placeOf(endpointId: string, { at, commandId }: Context): Pick<ChainFacts, 'chainId' | 'eventId' | 'occurredAt'> {
  const eventId = idOf('evt', at, commandId);
  const occurredAt = iso(at);
  return { chainId: chainIdOf(occurredAt, eventId, endpointId), eventId, occurredAt };
}

function factsOf({ id: endpointId, business, mode, disabledTimes }: KnownEndpoint, sample: Sample | null, context: Context): ChainFacts {
  return {
    ...placeOf(endpointId, context),
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

function resultOf(history: readonly Recorded[], context: Context): TestEventResult {
  const record = render(deliveries, attemptBegunBy(context, history)!.deliveryId, history);
  return {
    delivery_id: record.id,
    duration_ms: record.duration_ms ?? 0,
    response_status: record.response_status ?? 0,
    status: record.status === 'success' ? 'success' : 'failed',
    failure: record.failure,
  };
}
