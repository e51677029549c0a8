import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LruCache } from '../../engine/lru-cache.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainFacts, EndpointState } from '../domain/delivery-chain/facts.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { Admission } from './admission.js';
import { type AttemptRun, AttemptRunner } from './attempt-runner.js';
import { Backlogs } from './backlogs.js';
import { type NewDeliveryJob, toAutomaticJob, toJobCause } from './delivery-jobs.js';
import { DispatcherLease } from './dispatcher-lease.js';
import { EndpointLimiter } from './endpoint-limiter.js';
import type { EventPayload } from './envelope.js';
import type { Slot } from './slot.js';

const MAX_CACHED_CHAINS = 20_000;
/** A string reason avoids creating an Error per abort. */
const NOT_NEEDED = 'not needed any more';
/** A part of the 10 s that a process has for its shutdown. */
const SHUTDOWN_TIMEOUT_MS = 8_000;

/**
 * Plans delivery chains. When a slot is free, starts the first attempt at once and without a job, since the chain's
 * stream records the open attempt. `EnsureFirstAttempts` reads that stream and enqueues a job for an attempt that did
 * not end.
 */
@Injectable()
export class FirstAttempts implements BeforeApplicationShutdown, OnApplicationShutdown {
  /**
   * Keyed by chain id. Resolves to true when the attempt ended and its next job is enqueued, or when it has its own
   * job.
   */
  private readonly endings = new LruCache<string, Promise<boolean>>(MAX_CACHED_CHAINS);
  private readonly openAttempts = new Set<Promise<boolean>>();
  private closedAt: number | null = null;

  constructor(
    private readonly streams: Streams,
    private readonly runner: AttemptRunner,
    private readonly dispatcherLease: DispatcherLease,
    private readonly admission: Admission,
    private readonly limiter: EndpointLimiter,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Plans the chain and starts its first attempt if possible. Does not wait for the end of that attempt. */
  async planAndStart(
    facts: DeliveryChainFacts,
    endpointState: EndpointState,
    payload: EventPayload,
    context: Context,
  ): Promise<void> {
    const { endpointId } = facts;
    if (endpointState.status !== 'enabled' || this.closedAt !== null) return this.plan(facts, endpointState, context);
    if (this.admission.mustQueue({ endpointId, kind: 'first' }))
      return this.plan(facts, endpointState, context, (job) => this.backlogs.add(job, 'first'));
    const freeSlot = this.limiter.tryAcquire(endpointId);
    if (freeSlot !== null) return this.startInSlot(freeSlot, facts, endpointState, payload, context);
    const nextSlot = await this.limiter.acquireSoon(endpointId);
    if (nextSlot === null) return this.plan(facts, endpointState, context);
    return this.startInSlot(nextSlot, facts, this.readEndpointState(endpointId), payload, context);
  }

  /** Returns true when this process started the first attempt and it needs no other job. Waits at most `timeoutMs`. */
  async hasEnded(chainId: string, timeoutMs: number): Promise<boolean> {
    const ended = this.endings.get(chainId);
    if (ended === undefined) return false;
    if (!this.openAttempts.has(ended)) return ended;
    if (timeoutMs <= 0) return false;
    const timer = new AbortController();
    const timeout = this.clock.sleep(timeoutMs, timer.signal).then(() => false);
    return Promise.race([ended, timeout]).finally(() => timer.abort(NOT_NEEDED));
  }

  beforeApplicationShutdown(): void {
    this.closedAt = this.clock.monotonic();
  }

  async onApplicationShutdown(): Promise<void> {
    const remainingMs = SHUTDOWN_TIMEOUT_MS - (this.clock.monotonic() - this.closedAt!);
    const timer = new AbortController();
    await Promise.race([Promise.all(this.openAttempts), this.clock.sleep(remainingMs, timer.signal)]).finally(() =>
      timer.abort(NOT_NEEDED),
    );
  }

  /** Plans the chain and enqueues the job of its first attempt. */
  private async plan(
    facts: DeliveryChainFacts,
    target: EndpointState,
    context: Context,
    enqueue = (job: NewDeliveryJob) => this.jobs.enqueue([job]),
  ): Promise<void> {
    const command = { type: 'PlanDeliveryChain', facts, target } as const;
    const { state, recorded } = await this.streams.execute(deliveryChainDecider, facts.chainId, command, context);
    if (state.status !== 'waiting' || recorded.length === 0) return;
    await enqueue(toAutomaticJob(state, toJobCause(recorded[0]!), state.dueAt));
    this.endings.set(facts.chainId, Promise.resolve(true));
  }

  /** Registers the attempt before its start is recorded, so that every reader of that record finds it here. */
  private async startInSlot(
    slot: Slot,
    facts: DeliveryChainFacts,
    target: EndpointState | Promise<EndpointState>,
    payload: EventPayload,
    context: Context,
  ): Promise<void> {
    const started = this.start(facts, target, payload, context);
    const ended = started
      .then((run) => this.scheduleNext(run))
      .catch(() => false)
      .finally(() => this.finish(ended, slot));
    this.endings.set(facts.chainId, ended);
    this.openAttempts.add(ended);
    await started;
  }

  private async start(
    facts: DeliveryChainFacts,
    endpointState: EndpointState | Promise<EndpointState>,
    payload: EventPayload,
    context: Context,
  ): Promise<AttemptRun> {
    const [owner, target] = await Promise.all([this.dispatcherLease.acquireOwner(), endpointState]);
    const start = { leaseMs: this.runner.leaseMsFor('automatic'), owner };
    const command = { type: 'PlanDeliveryChain', facts, target, start } as const;
    return this.runner.start({ chainId: facts.chainId, command, context, payload });
  }

  /** Reads the endpoint again after a wait, since it may have been disabled. */
  private async readEndpointState(endpointId: string): Promise<EndpointState> {
    return toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
  }

  /** Returns false when `EnsureFirstAttempts` has to enqueue a job for the chain. */
  private async scheduleNext({ outcome, hasStarted, ended }: AttemptRun): Promise<boolean> {
    if (!hasStarted) return false;
    const { state: chain } = await ended;
    await this.runner.scheduleNext(chain, toJobCause(outcome.recorded[0]!));
    return chain.status !== 'sending';
  }

  private finish(ended: Promise<boolean>, slot: Slot): void {
    this.openAttempts.delete(ended);
    slot.release();
  }
}
