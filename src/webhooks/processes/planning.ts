import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams.js';
import { Views } from '../../engine/views.js';
import { causedBy } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Jobs, type NewJob } from '../../kernel/jobs.js';
import { ownedBy } from '../../kernel/ownership.js';
import { delivery, MAX_ATTEMPTS, type Chain } from '../domain/delivery.js';
import { chainIdOf } from '../domain/delivery-id.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { subscribes } from '../domain/event-types.js';
import type { PublicEvent } from '../domain/public-event.js';
import { endpoints } from '../projections/endpoints.js';
import { attemptJob } from '../sending/delivery-jobs.js';
import { reached } from './reached.js';

/** More than a business can have. */
const ALL_ENDPOINTS = 10_000;

/** Begins a chain for each endpoint that wants a public event, or records that it was missed. */
@Injectable()
export class Planning implements Reactor {
  readonly name = 'plan';
  readonly types = ['PublicEventRecorded'];

  constructor(
    private readonly streams: Streams,
    private readonly views: Views,
    private readonly jobs: Jobs,
  ) {}

  async react(recorded: Recorded): Promise<void> {
    const event = recorded.data as PublicEvent;
    await reached(this.views, endpoints, recorded.position);
    const endpointIds = await this.receiversOf(event, recorded);
    const jobs = await Promise.all(endpointIds.map((endpointId) => this.begin(event, endpointId, recorded)));
    const due = jobs.filter((job) => job !== null);
    if (due.length > 0) await this.jobs.put(due);
  }

  private async receiversOf({ type, businessId, mode }: PublicEvent, recorded: Recorded): Promise<readonly string[]> {
    const where = ownedBy({ business: businessId, mode });
    const all = await this.views.find(endpoints, where, ALL_ENDPOINTS, causedBy(recorded, this.name).progress);
    return all.filter(({ event_types }) => subscribes(event_types, type)).map(({ id }) => id);
  }

  /** What the endpoint is now is asked of its own stream: the index has only named it. */
  private async begin(event: PublicEvent, endpointId: string, recorded: Recorded): Promise<NewJob | null> {
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    const chain = chainOf(event, endpointId, target.disabledTimes);
    const context = { ...causedBy(recorded, this.name, endpointId), business: event.businessId, mode: event.mode };
    const { state } = await this.streams.execute(delivery, chain.chainId, { type: 'PlanChain', chain, target }, context);
    if (state.status !== 'waiting') return null;
    const { correlationId } = context;
    const { chainId, businessId, mode } = chain;
    return attemptJob(state.attempts, state.dueAt, { chainId, endpointId, businessId, mode, correlationId, causationId: recorded.id });
  }
}

function chainOf({ eventId, type, version, occurredAt, businessId, mode }: PublicEvent, endpointId: string, disabledTimes: number): Chain {
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
