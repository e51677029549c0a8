import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Backlogs } from '../delivery/backlogs.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import { endpointHealth } from '../projections/endpoint-health.js';

type EndpointChange = Extract<EndpointEvent, { type: 'EndpointEdited' | 'EndpointEnabled' }>;

/**
 * Lets the waiting attempts of an endpoint go on after a change that may end their wait: a new URL or an enabling, which
 * close its circuit breaker, or a higher rate.
 */
@Injectable()
export class ResumeBacklogs implements Reactor<EndpointChange> {
  readonly name = 'resume-backlogs';
  readonly types = typesOf<EndpointChange>({ EndpointEdited: true, EndpointEnabled: true });
  readonly needs = [endpointHealth];

  constructor(
    private readonly reader: ReadModelReader,
    private readonly backlogs: Backlogs,
  ) {}

  async react({ data: { endpointId }, position }: RecordedOf<EndpointChange>): Promise<void> {
    await this.reader.requirePosition(endpointHealth, position);
    await this.backlogs.wake(endpointId);
  }
}
