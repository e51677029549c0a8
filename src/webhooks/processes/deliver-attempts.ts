import { Injectable } from '@nestjs/common';
import type { Again, JobHandler } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { chain } from '../domain/chain.js';
import { endpoint, type Endpoint } from '../domain/endpoint.js';
import { AutomaticAttempts } from '../sending/automatic-attempts.js';
import { Backlogs, type BacklogKind } from '../sending/backlogs.js';
import { Breakers } from '../sending/breakers.js';
import { contextOfJob, FIRST_ATTEMPTS, isAlone, LEASES, RETRIES, type ChainJob } from '../sending/chain-jobs.js';
import { LONGEST_WAIT_MS, Slots, type Slot } from '../sending/slots.js';

/**
 * An endpoint that hangs occupies as many workers as it has slots: a hundred such endpoints must leave workers free.
 */
const FIRST_ATTEMPTS_AT_ONCE = 1_000;
const RETRIES_AT_ONCE = 1_000;
const LEASES_AT_ONCE = 20;

/** Makes the automatic attempts that get a slot soon, and moves the others to the backlog of their endpoint. */
@Injectable()
export class DeliverAttempts {
  readonly name = 'deliver-attempts';
  readonly handlers: readonly JobHandler[];

  constructor(
    private readonly streams: Streams,
    private readonly attempts: AutomaticAttempts,
    private readonly slots: Slots,
    private readonly breakers: Breakers,
    private readonly backlogs: Backlogs,
  ) {
    this.handlers = [
      this.handler(FIRST_ATTEMPTS, FIRST_ATTEMPTS_AT_ONCE, (job) => this.deliver(job, 'first')),
      this.handler(RETRIES, RETRIES_AT_ONCE, (job) => this.deliver(job, 'retry')),
      this.handler(LEASES, LEASES_AT_ONCE, (job) => this.attempts.endLost(job, contextOfJob(job, this.name))),
    ];
  }

  private handler(queue: string, concurrency: number, work: (job: ChainJob) => Promise<void | Again>): JobHandler {
    const run = (job: ChainJob) => work(job).catch((error: unknown) => this.attempts.afterFault(job, error));
    return { queue, concurrency, run };
  }

  /** Delays a job whose endpoint has no free slot, so that no worker waits for it. */
  private async deliver(job: ChainJob, kind: BacklogKind): Promise<void | Again> {
    const { endpointId } = job.data;
    const to = await this.streams.state(endpoint, endpointId);
    if (await this.mustStandInLine(job, kind, to)) return this.backlogs.add(job, kind);
    if ('settings' in to) this.slots.limitRate(endpointId, to.settings.rateLimitPerSecond);
    const slot = await this.slotFor(job, kind);
    if ('waitMs' in slot) return this.putOff(job, kind, slot.waitMs);
    try {
      return await this.attempts.make(job, contextOfJob(job, this.name));
    } finally {
      slot.release();
    }
  }

  /**
   * Only a waiting attempt to an enabled endpoint has to queue: an open one is only checked, and others are abandoned
   * at once.
   */
  private async mustStandInLine(job: ChainJob, kind: BacklogKind, to: Endpoint): Promise<boolean> {
    const { chainId, endpointId } = job.data;
    const isHeld = () => kind === 'first' && this.breakers.waitMs(endpointId) > 0;
    if (to.status !== 'enabled' || isAlone(job) || !(this.backlogs.isKnown({ endpointId, kind }) || isHeld())) return false;
    return (await this.streams.state(chain, chainId)).status === 'waiting';
  }

  private async slotFor({ data: { endpointId } }: ChainJob, kind: BacklogKind): Promise<Slot | { readonly waitMs: number }> {
    if (kind === 'first') return this.slots.enterOrWait(endpointId);
    return this.slots.enter(endpointId, this.breakers.isTripped(endpointId) ? 'doubtful' : 'retry');
  }

  private async putOff(job: ChainJob, kind: BacklogKind, waitMs: number): Promise<void | Again> {
    if (waitMs >= LONGEST_WAIT_MS && !isAlone(job)) return this.backlogs.add(job, kind);
    return this.attempts.again(waitMs, 'no free slot');
  }
}
