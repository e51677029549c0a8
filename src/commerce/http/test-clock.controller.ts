import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { IsDateOrTime } from '../../http/validation/date-range.js';
import type { CallerContext } from '../../kernel/caller.js';
import { SetTestClock } from '../commands/test-clock.commands.js';
import { RetrieveTestClock, testClockSchema } from '../queries/test-clock.queries.js';

class SetTestClockBody {
  @Describe(
    'A time in the future of the clock, at most 100 years after today, and by which no subscription renews more than 1,000 times.',
    '2026-01-31T09:30:00.000Z',
  )
  @IsDateOrTime()
  now!: string;
}

@Controller('v1/commerce/test-clock')
export class TestClockController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('Retrieve the test clock', testClockSchema, { about: 'Only in test mode.' })
  async retrieve(@Ctx() context: CallerContext) {
    return { data: await this.queries.execute(new RetrieveTestClock(context, {})) };
  }

  @Put()
  @Operation('Set the test clock', testClockSchema, {
    also: { status: 202, resource: testClockSchema },
    about:
      'Runs everything that falls due until then, in order, and responds afterwards. After 10 seconds it responds 202 with the status `advancing`, and the rest runs on: retrieve the clock until it is `ready`. Only in test mode.',
  })
  @Rejects('clock_moves_forward_only', 'test_clock_too_far', 'test_clock_advancing')
  async set(@Ctx() context: CallerContext, @Body() { now }: SetTestClockBody) {
    const data = await this.commands.execute(new SetTestClock(context, { now: new Date(now).toISOString() }));
    return new ApiResponse(data.status === 'ready' ? 200 : 202, { data });
  }
}
