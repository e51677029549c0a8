import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { testClockDecider } from '../domain/test-clock.js';
import { DueTimers } from '../due-timers.js';
import { requireTestBusiness, type TestClockDocument, toTestClockDocument } from '../queries/test-clock.queries.js';

/** Sets the clock of the business, and runs the timers that are due. */
export class SetTestClock extends ContextCommand<{ now: string }, TestClockDocument> {}

@CommandHandler(SetTestClock)
export class SetTestClockHandler implements ICommandHandler<SetTestClock> {
  constructor(
    private readonly streams: Streams,
    private readonly timers: DueTimers,
  ) {}

  /** A repeated call runs the timers that an interrupted call has left. */
  async execute({ context, params: { now } }: SetTestClock): Promise<TestClockDocument> {
    const businessId = requireTestBusiness(context);
    await this.streams.execute(testClockDecider, businessId, { type: 'SetTestClock', businessId, now }, context);
    await this.timers.runDue(businessId, context.consistency);
    return toTestClockDocument(now);
  }
}
