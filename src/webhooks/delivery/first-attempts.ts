import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LruCache } from '../../engine/lru-cache.js';
import { Streams } from '../../engine/streams/streams.js';
import { reportAndReturn } from '../../kernel/background-errors.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainFacts, EndpointState } from '../domain/delivery-chain/facts.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { Admission } from './admission.js';
import { ArrivalLines, type Turn } from './arrival-lines.js';
import { type AttemptRun, AttemptRunner } from './attempt-runner.js';
import { Backlogs } from './backlogs.js';
import { type NewDeliveryJob, toAutomaticJob, toJobCause } from './delivery-jobs.js';
import type { Destination } from './destinations.js';
import { DispatcherLease } from './dispatcher-lease.js';
import type { EventPayload } from './envelope.js';
import type { Receiver } from './receiver.js';

/** An endpoint as the planning read it. */
export interface PlannedEndpoint {
  readonly state: EndpointState;
  readonly receiver: Receiver;
}

/** A first attempt that arrives at an endpoint. */
interface Arrival {
  readonly facts: DeliveryChainFacts;
  readonly endpoint: PlannedEndpoint;
  readonly payload: EventPayload;
  readonly context: Context;
}

const MAX_CACHED_CHAINS = 20_000;
/** A string reason avoids creating an Error per abort. */
const NOT_NEEDED = 'not needed any more';
/** A part of the 10 s that a process has for its shutdown. */
const SHUTDOWN_TIMEOUT_MS = 8_000;
/** The open requests may have used the whole time; the attempts in flight still get this much. */
const MIN_SHUTDOWN_MS = 300;

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
  private readonly lines = new ArrivalLines();
  private closedAt: number | null = null;

  constructor(
    private readonly streams: Streams,
    private readonly runner: AttemptRunner,
    private readonly dispatcherLease: DispatcherLease,
    private readonly admission: Admission,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Plans the chain and starts its first attempt if possible. Does not wait for the end of that attempt. The attempts of
   * an endpoint start in the order of these calls.
   */
  async planAndStart(
    facts: DeliveryChainFacts,
    endpoint: PlannedEndpoint,
    payload: EventPayload,
    context: Context,
  ): Promise<void> {
    if (endpoint.state.status !== 'enabled' || this.closedAt !== null) return this.plan(facts, endpoint.state, context);
    const turn = this.lines.enter(facts.endpointId);
    try {
      await this.startOrQueue(turn, { facts, endpoint, payload, context });
    } finally {
      turn.end();
    }
  }

  private async startOrQueue(turn: Turn, arrival: Arrival): Promise<void> {
    const { state, receiver } = arrival.endpoint;
    if (this.admission.mustQueueArrival(turn, receiver)) return this.planInBacklog(turn, arrival, state);
    const destination = this.admission.enterNow(turn, receiver);
    if (destination !== null) return this.startInSlot(turn, destination, arrival, state);
    const later = await this.admission.enterSoon(turn, receiver);
    const current = await this.readEndpointState(receiver.endpointId).catch((error: unknown) => {
      later?.release();
      throw error;
    });
    return later === null
      ? this.planInBacklog(turn, arrival, current)
      : this.startInSlot(turn, later, arrival, current);
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
    const remainingMs = Math.max(MIN_SHUTDOWN_MS, SHUTDOWN_TIMEOUT_MS - (this.clock.monotonic() - this.closedAt!));
    const timer = new AbortController();
    await Promise.race([Promise.all(this.openAttempts), this.clock.sleep(remainingMs, timer.signal)]).finally(() =>
      timer.abort(NOT_NEEDED),
    );
  }

  /** Registers the chain before its planning is recorded, so that its reader waits for its place in the backlog. */
  private async planInBacklog(turn: Turn, { facts, context }: Arrival, endpointState: EndpointState): Promise<void> {
    const added = this.addInTurn(turn, facts, endpointState, context);
    // The caller gets the error.
    const registered = added.catch(() => false);
    this.endings.set(facts.chainId, registered);
    this.openAttempts.add(registered);
    await added.finally(() => this.openAttempts.delete(registered));
  }

  /** Returns false for a chain that was planned before, perhaps by a process that has ended: its reader ends its attempt. */
  private async addInTurn(
    turn: Turn,
    facts: DeliveryChainFacts,
    endpointState: EndpointState,
    context: Context,
  ): Promise<boolean> {
    const [job] = await Promise.all([this.record(facts, endpointState, context), turn.began]);
    const added = job && this.backlogs.append(job);
    turn.end();
    await added;
    return job !== null;
  }

  /** Plans the chain and enqueues the job of its first attempt. */
  private async plan(facts: DeliveryChainFacts, endpointState: EndpointState, context: Context): Promise<void> {
    const job = await this.record(facts, endpointState, context);
    if (job === null) return;
    await this.jobs.enqueue([job]);
    this.endings.set(facts.chainId, Promise.resolve(true));
  }

  /** Records the planning of the chain. Returns the job of its first attempt; null when it gets none. */
  private async record(
    facts: DeliveryChainFacts,
    endpointState: EndpointState,
    context: Context,
  ): Promise<NewDeliveryJob | null> {
    const command = { type: 'PlanDeliveryChain', facts, endpointState } as const;
    const { state, recorded } = await this.streams.execute(deliveryChainDecider, facts.chainId, command, context);
    if (state.status !== 'waiting' || recorded.length === 0) return null;
    return toAutomaticJob(state, toJobCause(recorded[0]!), state.dueAt);
  }

  /** Registers the attempt before its start is recorded, so that every reader of that record finds it here. */
  private async startInSlot(
    turn: Turn,
    destination: Destination,
    arrival: Arrival,
    endpointState: EndpointState,
  ): Promise<void> {
    const { facts } = arrival;
    const started = this.start(destination, arrival, endpointState);
    const ended = started
      .then((run) => this.scheduleNext(run))
      .catch(reportAndReturn({ kind: 'delivery', name: 'first attempts', item: facts.chainId }, false))
      .finally(() => this.finish(ended, destination));
    this.endings.set(facts.chainId, ended);
    this.openAttempts.add(ended);
    turn.end();
    await started;
  }

  private async start(
    destination: Destination,
    { facts, payload, context }: Arrival,
    endpointState: EndpointState,
  ): Promise<AttemptRun> {
    const owner = await this.dispatcherLease.acquireOwner();
    const start = { leaseMs: this.runner.leaseMsFor('automatic'), owner };
    const command = { type: 'PlanDeliveryChain', facts, endpointState, start } as const;
    return this.runner.start({ chainId: facts.chainId, command, context, payload, destination });
  }

  /**
   * Reads the endpoint again after a wait, since it may have been disabled. The turn ends after the read: a later arrival
   * must not start during it.
   */
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

  private finish(ended: Promise<boolean>, { release }: Destination): void {
    this.openAttempts.delete(ended);
    release();
  }
}
