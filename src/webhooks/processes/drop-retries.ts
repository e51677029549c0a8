import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Backlogs } from '../delivery/backlogs.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { EndpointState } from '../domain/delivery-chain/facts.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { endpointDecider, type EndpointEvent, toEndpointState } from '../domain/endpoint.js';
import { deliveries } from '../projections/deliveries.js';

const PAGE_SIZE = 50;

type EndpointEndEvent = Extract<EndpointEvent, { type: 'EndpointDisabled' | 'EndpointDeleted' }>;

/** Abandons the retries of an endpoint that was disabled or deleted. */
@Injectable()
export class DropRetries implements Reactor<EndpointEndEvent> {
  readonly name = 'drop-retries';
  readonly types = typesOf<EndpointEndEvent>({ EndpointDisabled: true, EndpointDeleted: true });
  readonly needs = [deliveries];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly backlogs: Backlogs,
  ) {}

  async react(event: RecordedOf<EndpointEndEvent>): Promise<void> {
    const { endpointId } = event.data;
    await this.backlogs.wake(endpointId);
    await this.reader.requirePosition(deliveries, event.position);
    const endpointState = toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
    const retrying = { where: { _retried_at_endpoint: endpointId }, limit: PAGE_SIZE };
    const { consistency } = createEventContext(event, this.name);
    for await (const slice of readSlices(this.reader, deliveries, retrying, consistency))
      await Promise.all(slice.map(({ id }) => this.drop(parseDeliveryId(id)!.chainId, endpointState, event)));
  }

  private async drop(
    chainId: string,
    endpointState: EndpointState,
    event: RecordedOf<EndpointEndEvent>,
  ): Promise<void> {
    await this.streams.execute(
      deliveryChainDecider,
      chainId,
      { type: 'DropRetries', endpointState },
      createEventContext(event, this.name, chainId),
    );
  }
}
