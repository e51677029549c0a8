import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { testClockDecider } from '../domain/test-clock.js';
import { DueTimers } from '../due-timers.js';
import { requireTestBusiness, type TestClockDocument, toTestClockDocument } from '../queries/test-clock.queries.js';
import { TestClockLimits } from './test-clock-limits.steps.js';

interface NewTime {
  readonly now: string;
  /** Waits longer than a request does, until everything that is due has run. */
  readonly untilReady?: boolean;
}

/** Sets the clock of the business, and runs the timers that are due. */
export class SetTestClock extends ContextCommand<NewTime, TestClockDocument> {}

@CommandHandler(SetTestClock)
export class SetTestClockHandler implements ICommandHandler<SetTestClock> {
  constructor(
    private readonly streams: Streams,
    private readonly timers: DueTimers,
    private readonly limits: TestClockLimits,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection test_clock_advancing, clock_moves_forward_only, test_clock_too_far */
  async execute({ context, params: { now, untilReady = false } }: SetTestClock): Promise<TestClockDocument> {
    const businessId = requireTestBusiness(context);
    const latest = await this.limits.findLatest(businessId, now);
    const command = { type: 'SetTestClock', businessId, now, latest } as const;
    await this.streams.execute(testClockDecider, businessId, command, context);
    await this.timers.advance(businessId, context.consistency, untilReady);
    return toTestClockDocument(await this.streams.loadState(testClockDecider, businessId), this.clock.now());
  }
}
