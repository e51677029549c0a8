import type { NounParts } from '../../engine/area-parts.js';
import { SetTestClockHandler } from '../commands/test-clock.commands.js';
import { TestClockController } from '../http/test-clock.controller.js';
import { AdvanceTestClocks } from '../processes/timers/advance-test-clocks.js';
import { StartTimers } from '../processes/timers/start-timers.js';
import { Timers } from '../processes/timers/timers.js';
import { RetrieveTestClockHandler } from '../queries/test-clock.queries.js';
import { TestClocks } from '../test-clocks.js';

export const timerParts: NounParts = {
  controllers: [TestClockController],
  providers: [SetTestClockHandler, RetrieveTestClockHandler, TestClocks, Timers],
  reactors: [StartTimers, AdvanceTestClocks],
  jobs: [AdvanceTestClocks],
};
