import { Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import { Recent } from '../../engine/recent.js';
import { Streams, type Outcome } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import { chain, type Chain, type ChainFacts } from '../domain/chain.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import type { Target } from '../domain/target.js';
import { Attempts } from './attempts.js';
import { Backlogs } from './backlogs.js';
import { Breakers } from './breakers.js';
import { automaticJob, type NewChainJob } from './chain-jobs.js';
import { Dispatches } from './dispatches.js';
import type { Telling } from './envelope.js';
import { Slots, type Slot } from './slots.js';

const REMEMBERED = 20_000;
/** A string reason avoids creating an Error per abort. */
const ENOUGH = 'not needed any more';
/** A part of the 10 s that a process has for its shutdown. */
const LONGEST_END_MS = 8_000;

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
  private readonly begun = new Recent<string, Promise<boolean>>(REMEMBERED);
  private readonly underWay = new Set<Promise<boolean>>();
  private closedAt: number | null = null;

  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly dispatches: Dispatches,
    private readonly breakers: Breakers,
    private readonly slots: Slots,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Plans the chain and starts its first attempt if possible. Does not wait for the end of that attempt. */
  async begin(facts: ChainFacts, target: Target, telling: Telling, context: Context): Promise<void> {
    const { endpointId } = facts;
    if (target.status !== 'enabled' || this.closedAt !== null) return this.plan(facts, target, context);
    if (this.mustStandInLine(endpointId)) return this.plan(facts, target, context, (job) => this.backlogs.add(job, 'first'));
    const free = this.slots.free(endpointId);
    if (free !== null) return this.beginIn(free, facts, target, telling, context);
    const soon = await this.slots.soon(endpointId);
    if (soon === null) return this.plan(facts, target, context);
    return this.beginIn(soon, facts, this.targetNow(endpointId), telling, context);
  }

  /** Returns true when this process started the first attempt and it needs no other job. Waits at most `timeoutMs`. */
  async hasEnded(chainId: string, patienceMs: number): Promise<boolean> {
    const ended = this.begun.get(chainId);
    if (ended === undefined) return false;
    if (!this.underWay.has(ended)) return ended;
    if (patienceMs <= 0) return false;
    const enough = new AbortController();
    const tooLate = this.clock.sleep(patienceMs, enough.signal).then(() => false);
    return Promise.race([ended, tooLate]).finally(() => enough.abort(ENOUGH));
  }

  beforeApplicationShutdown(): void {
    this.closedAt = this.clock.monotonic();
  }

  async onApplicationShutdown(): Promise<void> {
    const left = LONGEST_END_MS - (this.clock.monotonic() - this.closedAt!);
    const enough = new AbortController();
    await Promise.race([Promise.all(this.underWay), this.clock.sleep(left, enough.signal)]).finally(() => enough.abort(ENOUGH));
  }

  private mustStandInLine(endpointId: string): boolean {
    return this.backlogs.isKnown({ endpointId, kind: 'first' }) || this.breakers.waitMs(endpointId) > 0;
  }

  /** Plans the chain and enqueues the job of its first attempt. */
  private async plan(facts: ChainFacts, target: Target, context: Context, put = (job: NewChainJob) => this.jobs.put([job])): Promise<void> {
    const { state, recorded } = await this.streams.execute(chain, facts.chainId, { type: 'PlanChain', facts, target }, context);
    if (state.status !== 'waiting' || recorded.length === 0) return;
    await put(automaticJob(state, recorded[0]!, state.dueAt));
    this.begun.set(facts.chainId, Promise.resolve(true));
  }

  /** Registers the attempt before its start is recorded, so that every reader of that record finds it here. */
  private async beginIn(
    slot: Slot,
    facts: ChainFacts,
    target: Target | Promise<Target>,
    telling: Telling,
    context: Context,
  ): Promise<void> {
    const planned = this.planned(facts, target, context);
    const ended = planned
      .then((outcome) => this.carryOut(outcome, telling, context))
      .catch(() => false)
      .finally(() => this.over(ended, slot));
    this.begun.set(facts.chainId, ended);
    this.underWay.add(ended);
    await planned;
  }

  private async planned(facts: ChainFacts, target: Target | Promise<Target>, context: Context): Promise<Outcome<Chain>> {
    const [run, known] = await Promise.all([this.dispatches.own(), target]);
    const start = { leaseMs: this.attempts.leaseMs('automatic'), run };
    return this.streams.execute(chain, facts.chainId, { type: 'PlanChain', facts, target: known, start }, context);
  }

  /** Reads the endpoint again after a wait, since it may have been disabled. */
  private async targetNow(endpointId: string): Promise<Target> {
    return targetOf(await this.streams.state(endpoint, endpointId));
  }

  /** Returns false when `EnsureFirstAttempts` has to enqueue a job for the chain. */
  private async carryOut({ state, recorded }: Outcome<Chain>, telling: Telling, context: Context): Promise<boolean> {
    if (state.status !== 'sending' || recorded.length === 0) return false;
    const { state: after } = await this.attempts.carryOut(state.facts, state.open, context, telling);
    if (after.status === 'waiting') await this.jobs.put([automaticJob(after, recorded[0]!, after.dueAt)]);
    return after.status !== 'sending';
  }

  private over(ended: Promise<boolean>, slot: Slot): void {
    this.underWay.delete(ended);
    slot.release();
  }
}
