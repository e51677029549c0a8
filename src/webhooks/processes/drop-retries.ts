import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views, type SliceOf } from '../../engine/reading/views.js';
import { causedBy } from '../../kernel/context.js';
import type { EventOf } from '../../kernel/projection.js';
import { chain } from '../domain/chain.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import { endpoint, targetOf, type EndpointEvent } from '../domain/endpoint.js';
import type { Target } from '../domain/target.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';
import { Backlogs } from '../sending/backlogs.js';

const AT_ONCE = 50;

type EndOfService = EventOf<EndpointEvent, 'EndpointDisabled' | 'EndpointDeleted'>;

/** Abandons the retries of an endpoint that was disabled or deleted. */
@Injectable()
export class DropRetries implements Reactor {
  readonly name = 'drop-retries';
  readonly types = ['EndpointDisabled', 'EndpointDeleted'];
  readonly needs = [deliveries];

  constructor(
    private readonly streams: Streams,
    private readonly views: Views,
    private readonly backlogs: Backlogs,
  ) {}

  async react(event: EndOfService): Promise<void> {
    const { endpointId } = event.data;
    await this.backlogs.wake(endpointId);
    await this.views.mustReach(deliveries, event.position);
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    for (let after: string | null = null, more = true; more;) {
      const slice: SliceOf<DeliveryDocument> = await this.retriedAt(endpointId, after, event);
      await Promise.all(slice.data.map(({ id }) => this.drop(placeOfDelivery(id)!.chainId, target, event)));
      ({ next_cursor: after, has_more: more } = slice.pagination);
    }
  }

  private retriedAt(endpointId: string, after: string | null, event: EndOfService): Promise<SliceOf<DeliveryDocument>> {
    const { progress } = causedBy(event, this.name);
    return this.views.slice(deliveries, { where: { _retried_at_endpoint: endpointId }, limit: AT_ONCE, after }, progress);
  }

  private async drop(chainId: string, target: Target, event: EndOfService): Promise<void> {
    await this.streams.execute(chain, chainId, { type: 'DropRetries', target }, causedBy(event, this.name, chainId));
  }
}
