import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import type { Recorded } from '../../kernel/event.js';
import { Jobs } from '../../kernel/jobs.js';
import type { EventOf } from '../../kernel/projection.js';
import { chain, type Chain, type ChainEvent } from '../domain/chain.js';
import { automaticJob } from '../sending/chain-jobs.js';
import { Dispatches } from '../sending/dispatches.js';
import { FirstAttempts } from '../sending/first-attempts.js';

/** A first attempt that takes longer gets a job, so that it does not hold up the checkpoint. */
const PATIENCE_MS = 500;
/** For an attempt whose process is alive. */
const LOOK_MS = 2_000;

/**
 * Ensures that the first attempt of every planned delivery chain is made and ended. The checkpoint passes a chain after
 * that, or after a job for the remaining work is enqueued. So the log still leads to a chain whose process died.
 */
@Injectable()
export class StartChains implements Reactor {
  readonly name = 'start-chains';
  readonly types = ['ChainPlanned'];

  constructor(
    private readonly streams: Streams,
    private readonly firstAttempts: FirstAttempts,
    private readonly dispatches: Dispatches,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async react(planned: EventOf<ChainEvent, 'ChainPlanned'>): Promise<void> {
    const { chainId, test } = planned.data;
    if (test || (await this.firstAttempts.hasEnded(chainId, this.patienceMs(planned)))) return;
    const state = await this.stateOf(planned);
    const due = await this.dueOf(state);
    if (due !== null && state.status !== 'unknown') await this.jobs.put([automaticJob(state, planned, due)]);
  }

  private patienceMs({ meta }: Recorded): number {
    return Math.min(PATIENCE_MS, Date.parse(meta.at) + PATIENCE_MS - this.clock.now());
  }

  /** Reads the chain; waits once if another process is sending its attempt. */
  private async stateOf(planned: EventOf<ChainEvent, 'ChainPlanned'>): Promise<Chain> {
    const { chainId } = planned.data;
    const state = await this.streams.state(chain, chainId);
    const patienceMs = this.patienceMs(planned);
    if (state.status !== 'sending' || patienceMs <= 0) return state;
    await this.clock.sleep(patienceMs);
    return this.streams.state(chain, chainId);
  }

  /** Returns when an automatic attempt has to be made or checked; null when the chain needs no job. */
  private async dueOf(state: Chain): Promise<string | null> {
    if (state.status === 'waiting') return state.dueAt;
    if (state.status !== 'sending') return null;
    const { kind, run, leaseUntil } = state.open;
    if (kind !== 'automatic') return state.dueAt;
    // The job that started the attempt also ends it, unless restored stores have lost that job.
    if (run === null || !Dispatches.isOf(run)) return run !== null && (await this.jobs.find(run.job)) !== null ? null : leaseUntil;
    const now = this.clock.now();
    if ((await this.dispatches.laterThan(run)) !== null) return iso(now);
    return iso(Math.min(now + LOOK_MS, Date.parse(leaseUntil)));
  }
}
