import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Jobs } from '../../kernel/jobs.js';
import type { EventOf } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { chain, type Attempt, type ChainCommand, type ChainEvent } from '../domain/chain.js';
import { Attempts } from './attempts.js';
import { leaseJob } from './chain-jobs.js';
import { Dispatches } from './dispatches.js';
import type { Telling } from './envelope.js';
import { Slots } from './slots.js';

const PATIENCE_FOR_A_SLOT_MS = 1_000;
const LOOK_AGAIN_MS = 100;

type Start = Extract<ChainCommand, { type: 'Replay' | 'SendTest' }>;

/** Makes the attempts whose result an HTTP request waits for: replays and tests. */
@Injectable()
export class WatchedAttempts {
  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly dispatches: Dispatches,
    private readonly slots: Slots,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  leaseMs(kind: Attempt['kind']): number {
    return this.attempts.leaseMs(kind);
  }

  /** Runs `work` in a slot of the endpoint. @throws Rejection `service_unavailable` when no slot is free in time */
  async inSlot<T>(endpointId: string, work: () => Promise<T>): Promise<T> {
    const slot = await this.slots.acquire(endpointId, PATIENCE_FOR_A_SLOT_MS);
    if (slot === null) throw new Rejection('service_unavailable', 'The endpoint has reached its sending limit. Try again soon.');
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  /** Starts the attempt, sends it, and returns the chain's history with the end of the attempt. */
  async send(chainId: string, start: Start, context: Context, telling?: Telling): Promise<readonly Recorded[]> {
    await this.jobs.put([leaseJob(chainId, iso(this.clock.now() + start.leaseMs), context)]);
    const run = await this.dispatches.own();
    const { state, history, repeated } = await this.streams.execute(chain, chainId, { ...start, run }, context);
    const attempt = attemptBegunBy(context, await history());
    if (attempt === null || state.status === 'unknown') throw new Error(`${chainId}: its start is not recorded`);
    if (repeated) return this.ended(chainId, attempt, context);
    return (await this.attempts.carryOut(state.facts, attempt, context, telling)).history();
  }

  /** Waits until an attempt of an earlier run has ended or its process has died. Sends nothing. */
  async ended(chainId: string, { attempt }: Attempt, context: Context): Promise<readonly Recorded[]> {
    for (;;) {
      const laterRun = await this.dispatches.afterOpen(await this.streams.state(chain, chainId));
      const command = { type: 'LoseAttempt', attempt, laterRun, retries: this.attempts.retries() } as const;
      const { state, history } = await this.attempts.end(chainId, command, step(context, 'lose'));
      if (state.status !== 'sending' || state.open.attempt !== attempt) return history();
      await this.clock.sleep(LOOK_AGAIN_MS);
    }
  }
}

/** Returns the attempt that this command started, in this run or an earlier one. */
export function attemptBegunBy({ commandId }: Context, history: readonly Recorded[]): Attempt | null {
  const started = history.filter(isStart).find(({ meta }) => meta.commandId === commandId);
  return started?.data ?? null;
}

function isStart(event: Recorded): event is EventOf<ChainEvent, 'AttemptStarted'> {
  return event.type === 'AttemptStarted';
}
