import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../engine/registry.js';
import { isDue } from '../../../kernel/clock.js';
import type { RecordedOf } from '../../../kernel/event.js';
import { TIMER_EVENT_TYPES, type TimerEvent } from '../../projections/timer-changes.js';
import { listStartedTimers, type Timer } from '../../projections/timers.js';
import { TestClocks } from '../../test-clocks.js';
import { AdvanceTestClocks } from './advance-test-clocks.js';
import { Timers } from './timers.js';

/** Starts the timers of events. A job is never cancelled: a run ignores a timer that no longer fits. */
@Injectable()
export class StartTimers implements Reactor<TimerEvent> {
  readonly name = 'start-timers';
  readonly types = TIMER_EVENT_TYPES;

  constructor(
    private readonly clocks: TestClocks,
    private readonly timers: Timers,
    private readonly testClocks: AdvanceTestClocks,
  ) {}

  async react(event: RecordedOf<TimerEvent>): Promise<void> {
    for (const timer of listStartedTimers(event)) await this.start(timer);
  }

  private async start(timer: Timer): Promise<void> {
    const { _business: business, _mode: mode, due } = timer;
    const frozenTime = await this.clocks.findFrozenTime({ business, mode });
    if (frozenTime === null) await this.timers.enqueue(timer);
    else if (isDue(due, frozenTime)) await this.testClocks.enqueue(business);
  }
}
