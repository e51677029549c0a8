import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams.js';
import { Views } from '../../engine/views.js';
import { causedBy } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { ownedBy } from '../../kernel/ownership.js';
import { chain, MAX_ATTEMPTS, type ChainFacts } from '../domain/chain.js';
import { chainIdOf } from '../domain/delivery-id.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { subscribes } from '../domain/event-types.js';
import type { PublicEvent } from '../domain/public-event.js';
import { endpoints } from '../projections/endpoints.js';

/** More than a business can have. */
const ALL_ENDPOINTS = 10_000;

type RecordedPublicEvent = Recorded<string, PublicEvent>;

/** Begins a chain for each endpoint that wants a public event, or records that it was missed. */
@Injectable()
export class PlanChains implements Reactor {
  readonly name = 'plan-chains';
  readonly types = ['PublicEventRecorded'];

  constructor(
    private readonly streams: Streams,
    private readonly views: Views,
  ) {}

  async react(recorded: RecordedPublicEvent): Promise<void> {
    await this.views.mustReach(endpoints, recorded.position);
    const endpointIds = await this.receiversOf(recorded);
    await Promise.all(endpointIds.map((endpointId) => this.begin(recorded, endpointId)));
  }

  private async receiversOf(recorded: RecordedPublicEvent): Promise<readonly string[]> {
    const { type, businessId, mode } = recorded.data;
    const where = ownedBy({ business: businessId, mode });
    const all = await this.views.find(endpoints, where, ALL_ENDPOINTS, causedBy(recorded, this.name).progress);
    return all.filter(({ event_types }) => subscribes(event_types, type)).map(({ id }) => id);
  }

  /** What the endpoint is now is asked of its own stream: the index has only named it. */
  private async begin(recorded: RecordedPublicEvent, endpointId: string): Promise<void> {
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    const facts = factsOf(recorded.data, endpointId, target.disabledTimes);
    const { chainId, businessId, mode } = facts;
    const context = { ...causedBy(recorded, this.name, endpointId), business: businessId, mode };
    await this.streams.execute(chain, chainId, { type: 'PlanChain', facts, target }, context);
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
