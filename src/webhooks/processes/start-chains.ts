import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Jobs } from '../../kernel/jobs.js';
import type { EventOf } from '../../kernel/projection.js';
import type { ChainEvent } from '../domain/chain.js';
import { attemptJob } from '../sending/chain-jobs.js';

/** Every chain that was planned gets its first attempt: the job follows from the log, whatever has become of the endpoint meanwhile. */
@Injectable()
export class StartChains implements Reactor {
  readonly name = 'start-chains';
  readonly types = ['ChainPlanned'];

  constructor(private readonly jobs: Jobs) {}

  async react({ id, data, meta }: EventOf<ChainEvent, 'ChainPlanned'>): Promise<void> {
    const { chainId, endpointId, businessId, mode, test, dueAt } = data;
    if (test) return;
    const { correlationId } = meta;
    await this.jobs.put([attemptJob(0, dueAt, { chainId, endpointId, businessId, mode, correlationId, causationId: id })]);
  }
}
