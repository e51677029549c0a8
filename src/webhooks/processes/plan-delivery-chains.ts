import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { EndpointLimiter } from '../delivery/endpoint-limiter.js';
import { FirstAttempts } from '../delivery/first-attempts.js';
import { type DeliveryChainFacts, MAX_ATTEMPTS } from '../domain/delivery-chain/facts.js';
import { deliveryChainIdOf } from '../domain/delivery-id.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { endpointQuotaDecider, endpointQuotaIdOf } from '../domain/endpoint-quota.js';
import { isSubscribedTo } from '../domain/event-types.js';
import type { PublicEvent, PublicEventFact } from '../domain/public-event.js';

type RecordedPublicEvent = RecordedOf<PublicEventFact>;

/** Plans a delivery chain for each endpoint that subscribes to a public event, or records the event as missed. */
@Injectable()
export class PlanDeliveryChains implements Reactor<PublicEventFact> {
  readonly name = 'plan-delivery-chains';
  readonly types = typesOf<PublicEventFact>({ PublicEventRecorded: true });

  constructor(
    private readonly streams: Streams,
    private readonly firstAttempts: FirstAttempts,
    private readonly limiter: EndpointLimiter,
  ) {}

  /**
   * Finds the endpoints in the quota, which lists each endpoint from before its creation until its deletion. An index
   * could lag.
   */
  async react(recorded: RecordedPublicEvent): Promise<void> {
    const { businessId, mode } = recorded.data;
    const quota = await this.streams.loadState(endpointQuotaDecider, endpointQuotaIdOf(businessId, mode));
    await Promise.all([...quota.keys()].map((endpointId) => this.startIfSubscribed(recorded, endpointId)));
  }

  private async startIfSubscribed(recorded: RecordedPublicEvent, endpointId: string): Promise<void> {
    const found = await this.streams.loadState(endpointDecider, endpointId);
    if (!('settings' in found) || !isSubscribedTo(found.settings.eventTypes, recorded.data.type)) return;
    this.limiter.setRate(endpointId, found.settings.rateLimitPerSecond);
    const endpointState = toEndpointState(found);
    const facts = toChainFacts(recorded.data, endpointId, endpointState.disabledTimes);
    const context = {
      ...createEventContext(recorded, this.name, endpointId),
      business: facts.businessId,
      mode: facts.mode,
    };
    await this.firstAttempts.planAndStart(facts, endpointState, { ...recorded.data, test: false }, context);
  }
}

function toChainFacts(
  { eventId, type, version, occurredAt, businessId, mode }: PublicEvent,
  endpointId: string,
  disabledTimes: number,
): DeliveryChainFacts {
  return {
    chainId: deliveryChainIdOf(occurredAt, eventId, endpointId),
    eventId,
    eventType: type,
    eventVersion: version,
    occurredAt,
    endpointId,
    businessId,
    mode,
    test: false,
    maxAttempts: MAX_ATTEMPTS,
    disabledTimes,
  };
}
