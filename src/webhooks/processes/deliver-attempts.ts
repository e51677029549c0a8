import { Injectable } from '@nestjs/common';
import type { AnyJobHandler, JobHandler, Reschedule } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Job } from '../../kernel/jobs.js';
import type { Queue } from '../../kernel/queue.js';
import { Admission, type Entry } from '../delivery/admission.js';
import { AutomaticAttempts } from '../delivery/automatic-attempts.js';
import { Backlogs } from '../delivery/backlogs.js';
import {
  type ChainJobData,
  contextForJob,
  type DeliveryJob,
  FIRST_ATTEMPT_QUEUE,
  isIsolated,
  LEASE_QUEUE,
  MAX_DELAYS,
  RETRY_QUEUE,
} from '../delivery/delivery-jobs.js';
import { findDestination } from '../delivery/destinations.js';
import { MAX_DELAY_MS } from '../delivery/endpoint-usage.js';
import { toReceiver } from '../delivery/receiver.js';
import { type Delay, NO_SLOT, type Slot } from '../delivery/slot.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import { type Endpoint, endpointDecider } from '../domain/endpoint.js';

/**
 * An endpoint that hangs occupies as many workers as it has slots: a hundred such endpoints must leave workers free.
 */
const FIRST_ATTEMPT_CONCURRENCY = 1_000;
const RETRY_CONCURRENCY = 1_000;
const LEASE_CONCURRENCY = 20;

/** The kinds of attempts that have a queue of their own beside the backlogs. */
type JobKind = 'first' | 'retry';

/** Makes the automatic attempts that get a slot soon, and moves the others to the backlog of their endpoint. */
@Injectable()
export class DeliverAttempts {
  readonly name = 'deliver-attempts';
  readonly handlers: readonly AnyJobHandler[];

  constructor(
    private readonly streams: Streams,
    private readonly attempts: AutomaticAttempts,
    private readonly admission: Admission,
    private readonly backlogs: Backlogs,
  ) {
    this.handlers = [
      {
        ...this.createHandler(FIRST_ATTEMPT_QUEUE, FIRST_ATTEMPT_CONCURRENCY, (job) => this.deliver(job, 'first')),
        maxDelayMs: MAX_DELAYS.first,
      },
      {
        ...this.createHandler(RETRY_QUEUE, RETRY_CONCURRENCY, (job) => this.deliver(job, 'retry')),
        maxDelayMs: MAX_DELAYS.retry,
      },
      this.createHandler(LEASE_QUEUE, LEASE_CONCURRENCY, (job) =>
        this.attempts.endLostAttempt(job, contextForJob(job, this.name)),
      ),
    ];
  }

  private createHandler<D extends ChainJobData>(
    queue: Queue<D>,
    concurrency: number,
    work: (job: Job<D>) => Promise<void | Reschedule>,
  ): JobHandler<D> {
    const run = (job: Job<D>) => work(job).catch((error: unknown) => this.attempts.handleError(job, error));
    return { queue, concurrency, run };
  }

  /** Delays a job whose endpoint has no free slot, so that no worker waits for it. */
  private async deliver(job: DeliveryJob, kind: JobKind): Promise<void | Reschedule> {
    const { endpointId } = job.data;
    const endpoint = await this.streams.loadState(endpointDecider, endpointId);
    if (await this.mustQueue(job, kind, endpoint)) return this.backlogs.add(job, kind);
    const entry = await this.enter(job, kind, endpoint);
    if ('waitMs' in entry) return this.delay(job, kind, entry);
    try {
      return await this.attempts.make(job, contextForJob(job, this.name), findDestination(entry));
    } finally {
      entry.release();
    }
  }

  /** An endpoint that is not enabled gets no attempt, so its jobs need no slot. */
  private async enter(job: DeliveryJob, kind: JobKind, endpoint: Endpoint): Promise<Entry | Slot> {
    if (endpoint.status !== 'enabled') return NO_SLOT;
    return this.admission.enterFromJob(toReceiver(job.data.endpointId, endpoint.settings), kind, isIsolated(job));
  }

  /**
   * Only a waiting attempt to an enabled endpoint has to queue: an open one is only checked, and others are abandoned
   * at once.
   */
  private async mustQueue(job: DeliveryJob, kind: JobKind, endpoint: Endpoint): Promise<boolean> {
    const { chainId, endpointId } = job.data;
    const canQueue = endpoint.status === 'enabled' && !isIsolated(job);
    if (!canQueue || !this.admission.mustQueue({ endpointId, kind })) return false;
    return (await this.streams.loadState(deliveryChainDecider, chainId)).status === 'waiting';
  }

  /** How long the host is busy is not known, so such an attempt joins the backlog. */
  private async delay(job: DeliveryJob, kind: JobKind, { waitMs, reason }: Delay): Promise<void | Reschedule> {
    const isLong = reason === 'host' || waitMs >= MAX_DELAY_MS;
    if (isLong && !isIsolated(job)) return this.backlogs.add(job, kind);
    return this.attempts.reschedule(reason === 'host' ? MAX_DELAY_MS : waitMs, 'no free slot');
  }
}
