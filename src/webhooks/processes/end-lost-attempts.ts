import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { causedBy } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import type { EventOf } from '../../kernel/projection.js';
import type { ChainEvent } from '../domain/chain.js';
import { leaseJob } from '../sending/chain-jobs.js';

/**
 * Every replay and test that was begun has a job that ends it when its process is gone. One was put before it began, in case nothing
 * follows the log; it may have run too early, by a clock that is ahead, or because the start took longer than the lease.
 */
@Injectable()
export class EndLostAttempts implements Reactor {
  readonly name = 'end-lost-attempts';
  readonly types = ['AttemptStarted'];

  constructor(private readonly jobs: Jobs) {}

  async react(started: EventOf<ChainEvent, 'AttemptStarted'>): Promise<void> {
    const { chainId, kind, leaseUntil } = started.data;
    if (kind === 'automatic' || kind === 'job') return;
    const { commandId } = started.meta;
    await this.jobs.put([leaseJob(chainId, leaseUntil, { ...causedBy(started, this.name), commandId })]);
  }
}
