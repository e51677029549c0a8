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

/** A first attempt that takes longer has a job that looks after it, so that the log need not be kept open for it. */
const PATIENCE_MS = 500;
/** While the process that sends it is alive. */
const LOOK_MS = 2_000;

/**
 * Sees to it that every chain that was planned has its first attempt made, and ended: the checkpoint passes it when that is done, or when
 * a job is there for what is left. So a chain whose process has died is found again in the log.
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

  /** What another process is sending has its time too. */
  private async stateOf(planned: EventOf<ChainEvent, 'ChainPlanned'>): Promise<Chain> {
    const { chainId } = planned.data;
    const state = await this.streams.state(chain, chainId);
    const patienceMs = this.patienceMs(planned);
    if (state.status !== 'sending' || patienceMs <= 0) return state;
    await this.clock.sleep(patienceMs);
    return this.streams.state(chain, chainId);
  }

  /** When an automatic attempt is to be made or looked after; null when none is. */
  private async dueOf(state: Chain): Promise<string | null> {
    if (state.status === 'waiting') return state.dueAt;
    if (state.status !== 'sending') return null;
    const { kind, run, leaseUntil } = state.open;
    if (kind !== 'automatic') return state.dueAt;
    // What a job began, that job looks after, unless it was lost with restored stores.
    if (run === null || !Dispatches.isOf(run)) return run !== null && (await this.jobs.find(run.job)) !== null ? null : leaseUntil;
    const now = this.clock.now();
    if ((await this.dispatches.laterThan(run)) !== null) return iso(now);
    return iso(Math.min(now + LOOK_MS, Date.parse(leaseUntil)));
  }
}
