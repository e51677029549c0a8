import { Injectable } from '@nestjs/common';
import type { JobHandler, Reschedule } from '../../../engine/registry.js';
import { Clock, toIso } from '../../../kernel/clock.js';
import { ConsistencyContext } from '../../../kernel/context.js';
import { uuidV5 } from '../../../kernel/ids.js';
import { Jobs } from '../../../kernel/jobs.js';
import type { TimerKind } from '../../projections/timer-changes.js';
import type { Timer } from '../../projections/timers.js';
import { TestClocks } from '../../test-clocks.js';
import { ChargeInstallments } from '../charge-installments.js';
import { EndSubscriptions } from '../end-subscriptions.js';
import { ExpireOffers } from '../expire-offers.js';
import { OpenDisputes } from '../open-disputes.js';
import { ReleaseFunds } from '../release-funds.js';
import { RenewSubscriptions } from '../renew-subscriptions.js';
import { ResumeSubscriptions } from '../resume-subscriptions.js';
import { SettlePayments } from '../settle-payments.js';
import { SettleRefunds } from '../settle-refunds.js';
import type { TimerContext, TimerHandler } from './timer-handler.js';

const CONCURRENCY = 4;

/** Runs timers. In real time a timer is a job. A business with a test clock that was set has no jobs of timers. */
@Injectable()
export class Timers {
  private readonly byKind: Readonly<Record<TimerKind, TimerHandler>>;

  constructor(
    private readonly clocks: TestClocks,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    funds: ReleaseFunds,
    dispute: OpenDisputes,
    settlement: SettlePayments,
    refund: SettleRefunds,
    renewal: RenewSubscriptions,
    installment: ChargeInstallments,
    resumption: ResumeSubscriptions,
    cancellation: EndSubscriptions,
    offer: ExpireOffers,
  ) {
    this.byKind = { funds, dispute, settlement, refund, renewal, installment, resumption, cancellation, offer };
  }

  get handlers(): readonly JobHandler<Timer>[] {
    return Object.values(this.byKind).map(({ queue }) => ({
      queue,
      concurrency: CONCURRENCY,
      run: ({ data }) => this.runInRealTime(data),
    }));
  }

  /**
   * Each event has its own job. A requested retry of a charge that fails starts the timer of the next retry again at the
   * same due time, possibly while the job of that timer runs.
   */
  async enqueue(timer: Timer): Promise<void> {
    const { kind, nounId, due, eventId } = timer;
    const { queue } = this.byKind[kind];
    await this.jobs.enqueue([queue.createJob({ key: `${kind}:${nounId}:${due}:${eventId}`, due, data: timer })]);
  }

  /** @param now the business time of the run */
  run(timer: Timer, now: string, consistency: ConsistencyContext): Promise<void | Reschedule> {
    const handler = this.byKind[timer.kind];
    return handler.run(timer.nounId, createTimerContext(timer, handler.name, now, consistency));
  }

  /** Does nothing once the test clock of the business was set: setting that clock runs the timer when it is due. */
  private async runInRealTime(timer: Timer): Promise<void | Reschedule> {
    const { _business: business, _mode: mode, due } = timer;
    if ((await this.clocks.findFrozenTime({ business, mode })) !== null) return;
    // A store's clock may be ahead of this process's clock.
    const now = toIso(Math.max(this.clock.now(), Date.parse(due)));
    return this.run(timer, now, new ConsistencyContext());
  }
}

function createTimerContext(timer: Timer, name: string, now: string, consistency: ConsistencyContext): TimerContext {
  const { kind, nounId, due, eventId, correlationId, requestId, _business: business, _mode: mode } = timer;
  return {
    commandId: uuidV5(eventId, kind, nounId, due),
    at: Date.parse(due),
    now,
    correlationId,
    causationId: eventId,
    actor: { type: 'system', id: name },
    business,
    mode,
    requestId,
    consistency,
  };
}
