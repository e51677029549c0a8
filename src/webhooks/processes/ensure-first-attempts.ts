import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type RecordedEvent, type RecordedOf, typesOf } from '../../kernel/event.js';
import { Jobs } from '../../kernel/jobs.js';
import { Backlogs } from '../delivery/backlogs.js';
import { toAutomaticJob, toJobCause } from '../delivery/delivery-jobs.js';
import { DispatcherLease } from '../delivery/dispatcher-lease.js';
import { FirstAttempts } from '../delivery/first-attempts.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { DeliveryChain, DeliveryChainEvent, DeliveryChainFacts } from '../domain/delivery-chain/facts.js';

/** A first attempt that takes longer gets a job, so that it does not hold up the checkpoint. */
const TIMEOUT_MS = 500;
/** For an attempt whose process is alive. */
const RECHECK_MS = 2_000;

type FirstEvent = Extract<DeliveryChainEvent, { type: 'DeliveryChainPlanned' | 'AttemptStarted' }>;

/**
 * Ensures that the first attempt of every delivery chain is made and ended. The checkpoint passes a chain after
 * that, or after a job for the remaining work is enqueued. So the log still leads to a chain whose process died.
 */
@Injectable()
export class EnsureFirstAttempts implements Reactor<FirstEvent> {
  readonly name = 'ensure-first-attempts';
  readonly types = typesOf<FirstEvent>({ DeliveryChainPlanned: true, AttemptStarted: true });

  constructor(
    private readonly streams: Streams,
    private readonly firstAttempts: FirstAttempts,
    private readonly dispatcherLease: DispatcherLease,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async react(event: RecordedOf<FirstEvent>): Promise<void> {
    const facts = findFacts(event);
    if (facts === null || facts.test) return;
    if (facts.plannedBy !== undefined) return this.ensureBackfilled(event);
    if (await this.firstAttempts.hasEnded(facts.chainId, this.computeRemainingMs(event))) return;
    const state = await this.readState(event);
    const due = await this.findDue(state);
    if (due === null || state.status === 'unknown') return;
    await this.jobs.enqueue([toAutomaticJob(state, toJobCause(event), due)]);
  }

  /** The replay job has added the attempt to the backlog, unless restored stores have lost its job. */
  private async ensureBackfilled(event: RecordedOf<FirstEvent>): Promise<void> {
    const state = await this.streams.loadState(deliveryChainDecider, event.data.chainId);
    if (state.status !== 'waiting' || state.attempts > 0) return;
    const job = toAutomaticJob(state, toJobCause(event), state.dueAt);
    await this.backlogs.addBackfill(state.facts.endpointId, [job]);
  }

  private computeRemainingMs({ meta }: RecordedEvent): number {
    return Math.min(TIMEOUT_MS, Date.parse(meta.at) + TIMEOUT_MS - this.clock.now());
  }

  /** Reads the chain; waits once if another process is sending its attempt. */
  private async readState(event: RecordedOf<FirstEvent>): Promise<DeliveryChain> {
    const { chainId } = event.data;
    const state = await this.streams.loadState(deliveryChainDecider, chainId);
    const remainingMs = this.computeRemainingMs(event);
    if (state.status !== 'sending' || remainingMs <= 0) return state;
    await this.clock.sleep(remainingMs);
    return this.streams.loadState(deliveryChainDecider, chainId);
  }

  /** Returns when an automatic attempt has to be made or checked; null when the chain needs no job. */
  private async findDue(state: DeliveryChain): Promise<string | null> {
    if (state.status === 'waiting') return state.dueAt;
    if (state.status !== 'sending') return null;
    const { kind, owner, leaseUntil } = state.open;
    if (kind !== 'automatic') return state.dueAt;
    // The job that started the attempt also ends it, unless restored stores have lost that job.
    if (owner === null || !DispatcherLease.isDispatcher(owner))
      return owner !== null && (await this.jobs.find(owner.job)) !== null ? null : leaseUntil;
    const now = this.clock.now();
    if ((await this.dispatcherLease.findSuccessor(owner)) !== null) return toIso(now);
    return toIso(Math.min(now + RECHECK_MS, Date.parse(leaseUntil)));
  }
}

/** Returns the facts of the chain that begins with this event; null for a later event. */
function findFacts({ data }: RecordedOf<FirstEvent>): DeliveryChainFacts | null {
  return 'dueAt' in data ? data : (data.facts ?? null);
}
