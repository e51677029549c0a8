import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { ArrivalLines } from '../delivery/arrival-lines.js';
import { FirstAttempts } from '../delivery/first-attempts.js';
import { toReceiver } from '../delivery/receiver.js';
import { planChain } from '../domain/chain-plan.js';
import { type Endpoint, endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { endpointQuotaDecider, endpointQuotaIdOf } from '../domain/endpoint-quota.js';
import type { PublicEventFact } from '../domain/public-event.js';

type RecordedPublicEvent = RecordedOf<PublicEventFact>;

/** Plans a delivery chain for each endpoint that subscribes to a public event, or records the event as missed. */
@Injectable()
export class PlanDeliveryChains implements Reactor<PublicEventFact> {
  readonly name = 'plan-delivery-chains';
  readonly types = typesOf<PublicEventFact>({ PublicEventRecorded: true });

  private readonly lines = new ArrivalLines();

  constructor(
    private readonly streams: Streams,
    private readonly firstAttempts: FirstAttempts,
  ) {}

  /** Events arrive at their endpoints in the order of the log, however long the reads of each event take. */
  async react(recorded: RecordedPublicEvent): Promise<void> {
    const { businessId, mode } = recorded.data;
    const quotaId = endpointQuotaIdOf(businessId, mode);
    const turn = this.lines.enter(quotaId);
    try {
      const loads = await this.loadEndpoints(quotaId);
      await turn.began;
      const starts = loads.flatMap((load) => (load.status === 'fulfilled' ? this.start(recorded, load.value) : []));
      turn.end();
      await Promise.all([...starts, ...loads.flatMap(toRejection)]);
    } finally {
      turn.end();
    }
  }

  /**
   * Finds the endpoints in the quota, which lists each endpoint from before its creation until its deletion. An index
   * could lag.
   */
  private async loadEndpoints(quotaId: string): Promise<PromiseSettledResult<Endpoint>[]> {
    const quota = await this.streams.loadState(endpointQuotaDecider, quotaId);
    return Promise.allSettled([...quota.keys()].map((id) => this.streams.loadState(endpointDecider, id)));
  }

  private async start(recorded: RecordedPublicEvent, found: Endpoint): Promise<void> {
    const facts = planChain(recorded.data, found);
    if (facts === null || !('settings' in found)) return;
    const { id: endpointId, settings } = found;
    const context = {
      ...createEventContext(recorded, this.name, endpointId),
      business: facts.businessId,
      mode: facts.mode,
    };
    const endpoint = { state: toEndpointState(found), receiver: toReceiver(endpointId, settings) };
    await this.firstAttempts.planAndStart(facts, endpoint, { ...recorded.data, test: false }, context);
  }
}

function toRejection(load: PromiseSettledResult<unknown>): Promise<never>[] {
  return load.status === 'rejected' ? [Promise.reject(load.reason as Error)] : [];
}
