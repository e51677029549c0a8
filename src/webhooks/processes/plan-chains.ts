import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { causedBy } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { MAX_ATTEMPTS, type ChainFacts } from '../domain/chain.js';
import { chainIdOf } from '../domain/delivery-id.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { endpointPlaces, endpointPlacesId } from '../domain/endpoint-places.js';
import { subscribes } from '../domain/event-types.js';
import type { PublicEvent } from '../domain/public-event.js';
import { FirstAttempts } from '../sending/first-attempts.js';
import { Slots } from '../sending/slots.js';

type RecordedPublicEvent = Recorded<string, PublicEvent>;

/** Plans a delivery chain for each endpoint that subscribes to a public event, or records the event as missed. */
@Injectable()
export class PlanChains implements Reactor {
  readonly name = 'plan-chains';
  readonly types = ['PublicEventRecorded'];

  constructor(
    private readonly streams: Streams,
    private readonly firstAttempts: FirstAttempts,
    private readonly slots: Slots,
  ) {}

  /**
   * Finds the endpoints in the quota, which lists each endpoint from before its creation until its deletion. An index
   * could lag.
   */
  async react(recorded: RecordedPublicEvent): Promise<void> {
    const { businessId, mode } = recorded.data;
    const places = await this.streams.state(endpointPlaces, endpointPlacesId(businessId, mode));
    await Promise.all([...places.keys()].map((endpointId) => this.beginIfWanted(recorded, endpointId)));
  }

  private async beginIfWanted(recorded: RecordedPublicEvent, endpointId: string): Promise<void> {
    const found = await this.streams.state(endpoint, endpointId);
    if (!('settings' in found) || !subscribes(found.settings.eventTypes, recorded.data.type)) return;
    this.slots.limitRate(endpointId, found.settings.rateLimitPerSecond);
    const target = targetOf(found);
    const facts = factsOf(recorded.data, endpointId, target.disabledTimes);
    const context = { ...causedBy(recorded, this.name, endpointId), business: facts.businessId, mode: facts.mode };
    await this.firstAttempts.begin(facts, target, { ...recorded.data, test: false }, context);
  }
}

function factsOf(
  { eventId, type, version, occurredAt, businessId, mode }: PublicEvent,
  endpointId: string,
  disabledTimes: number,
): ChainFacts {
  return {
    chainId: chainIdOf(occurredAt, eventId, endpointId),
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
