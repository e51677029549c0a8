import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../engine/streams/outcome.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type {
  Attempt,
  AttemptOwner,
  DeliveryChain,
  PlanDeliveryChain,
  RedeliverChain,
  Replay,
  SendingChain,
  SendTest,
  StartAttempt,
} from '../domain/delivery-chain/facts.js';
import { Attempts } from './attempts.js';
import { Backlogs } from './backlogs.js';
import { type JobCause, toAutomaticJob } from './delivery-jobs.js';
import type { Destination } from './destinations.js';
import type { EventPayload } from './envelope.js';

export interface AttemptStart {
  readonly chainId: string;
  readonly command: PlanDeliveryChain | SendTest | StartAttempt | Replay | RedeliverChain;
  readonly context: Context;
  /** Gives the start its own command id, since one context may start several attempts. */
  readonly label?: string;
  readonly payload?: EventPayload;
  /** Null when the caller expects that nothing is sent. */
  readonly destination: Destination | null;
}

export interface AttemptRun {
  readonly outcome: Outcome<DeliveryChain>;
  /** True when this command has started an attempt, and no earlier run of it. */
  readonly hasStarted: boolean;
  /** Resolves when the attempt has ended; without an attempt, to the same outcome. */
  readonly ended: Promise<Outcome<DeliveryChain>>;
}

/** Starts attempts and carries them out, ends lost attempts, and schedules the next ones. */
@Injectable()
export class AttemptRunner {
  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  leaseMsFor(kind: Attempt['kind']): number {
    return this.attempts.leaseMsFor(kind);
  }

  /** Resolves when the start is recorded. */
  async start({ chainId, command, context, label, payload, destination }: AttemptStart): Promise<AttemptRun> {
    const startContext = label === undefined ? context : createChildContext(context, label);
    const outcome = await this.streams.execute(deliveryChainDecider, chainId, command, startContext);
    if (!hasStarted(outcome)) return { outcome, hasStarted: false, ended: Promise.resolve(outcome) };
    const { facts, open } = outcome.state;
    return { outcome, hasStarted: true, ended: this.attempts.carryOut(facts, open, context, destination, payload) };
  }

  /** Ends the attempt as lost when its owner has ended or its lease has expired. */
  expire(
    chainId: string,
    attempt: number,
    laterOwner: AttemptOwner | null,
    context: Context,
  ): Promise<Outcome<DeliveryChain>> {
    const command = { type: 'LoseAttempt', attempt, laterOwner, retries: this.attempts.drawRetryPolicy() } as const;
    return this.attempts.recordEnd(chainId, command, createChildContext(context, 'lose', attempt));
  }

  /** Enqueues the job of the next automatic attempt. Makes its existing job due if it is late, also in a backlog. */
  async scheduleNext(chain: DeliveryChain, cause: JobCause): Promise<void> {
    if (chain.status !== 'waiting') return;
    const job = toAutomaticJob(chain, cause, chain.dueAt);
    const isDue = chain.dueAt <= toIso(this.clock.now());
    if (!(isDue && (await this.backlogs.makeDue(job)))) await this.jobs.enqueue([job]);
  }
}

function hasStarted(outcome: Outcome<DeliveryChain>): outcome is Outcome<SendingChain> {
  return outcome.state.status === 'sending' && outcome.recorded.some(({ type }) => type === 'AttemptStarted');
}
