import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsDateOrTime } from '../../http/validation/date-range.js';
import type { CallerContext } from '../../identity/caller.js';
import { SetTestClock } from '../commands/test-clock.commands.js';
import { RetrieveTestClock, testClockSchema } from '../queries/test-clock.queries.js';

class SetTestClockBody {
  /** A time in the future of the clock. The clock is frozen from then on. */
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
  @Operation('Retrieve the test clock', testClockSchema)
  async retrieve(@Ctx() context: CallerContext) {
    return { data: await this.queries.execute(new RetrieveTestClock(context, {})) };
  }

  /** Runs everything that falls due until then, in order, and responds afterwards. Only in test mode. */
  @Put()
  @Operation('Set the test clock', testClockSchema)
  @Rejects('clock_moves_forward_only')
  async set(@Ctx() context: CallerContext, @Body() { now }: SetTestClockBody) {
    return { data: await this.commands.execute(new SetTestClock(context, { now: new Date(now).toISOString() })) };
  }
}
