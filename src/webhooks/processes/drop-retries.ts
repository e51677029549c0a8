import { Injectable } from '@nestjs/common';
import { ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import type { EventOf } from '../../kernel/projection.js';
import { Backlogs } from '../delivery/backlogs.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { EndpointState } from '../domain/delivery-chain/facts.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { endpointDecider, type EndpointEvent, toEndpointState } from '../domain/endpoint.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';

const PAGE_SIZE = 50;

type EndpointEndEvent = EventOf<EndpointEvent, 'EndpointDisabled' | 'EndpointDeleted'>;

/** Abandons the retries of an endpoint that was disabled or deleted. */
@Injectable()
export class DropRetries implements Reactor {
  readonly name = 'drop-retries';
  readonly types = ['EndpointDisabled', 'EndpointDeleted'];
  readonly needs = [deliveries];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly backlogs: Backlogs,
  ) {}

  async react(event: EndpointEndEvent): Promise<void> {
    const { endpointId } = event.data;
    await this.backlogs.wake(endpointId);
    await this.reader.requirePosition(deliveries, event.position);
    const endpointState = toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
    for (let after: string | null = null, more = true; more;) {
      const slice: SliceResult<DeliveryDocument> = await this.readRetrying(endpointId, after, event);
      await Promise.all(slice.data.map(({ id }) => this.drop(parseDeliveryId(id)!.chainId, endpointState, event)));
      ({ next_cursor: after, has_more: more } = slice.pagination);
    }
  }

  private readRetrying(
    endpointId: string,
    after: string | null,
    event: EndpointEndEvent,
  ): Promise<SliceResult<DeliveryDocument>> {
    const { consistency } = createEventContext(event, this.name);
    return this.reader.getSlice(
      deliveries,
      { where: { _retried_at_endpoint: endpointId }, limit: PAGE_SIZE, after },
      consistency,
    );
  }

  private async drop(chainId: string, endpointState: EndpointState, event: EndpointEndEvent): Promise<void> {
    await this.streams.execute(
      deliveryChainDecider,
      chainId,
      { type: 'DropRetries', target: endpointState },
      createEventContext(event, this.name, chainId),
    );
  }
}
