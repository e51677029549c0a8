import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Jobs } from '../../kernel/jobs.js';
import { toLeaseJob } from '../delivery/delivery-jobs.js';
import type { DeliveryChainEvent } from '../domain/delivery-chain/facts.js';

type AttemptStarted = Extract<DeliveryChainEvent, { type: 'AttemptStarted' }>;

/**
 * Enqueues, for each replay and test, a job that ends the attempt if its process dies. The command enqueued a first job
 * before the start, in case this reactor lags. That job may have run too early: another clock may be ahead, or the
 * start may have taken longer than the lease.
 */
@Injectable()
export class EndLostAttempts implements Reactor<AttemptStarted> {
  readonly name = 'end-lost-attempts';
  readonly types = typesOf<AttemptStarted>({ AttemptStarted: true });

  constructor(private readonly jobs: Jobs) {}

  async react(started: RecordedOf<AttemptStarted>): Promise<void> {
    const { chainId, kind, leaseUntil } = started.data;
    if (kind === 'automatic' || kind === 'job') return;
    const { commandId } = started.meta;
    await this.jobs.enqueue([
      toLeaseJob(chainId, leaseUntil, { ...createEventContext(started, this.name), commandId }),
    ]);
  }
}
