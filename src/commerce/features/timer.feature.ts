import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { SetTestClockHandler } from '../commands/test-clock.commands.js';
import { TestClockLimits } from '../commands/test-clock-limits.steps.js';
import { testClockDecider } from '../domain/test-clock.js';
import { TestClockController } from '../http/test-clock.controller.js';
import { AdvanceTestClocks } from '../processes/timers/advance-test-clocks.js';
import { StartTimers } from '../processes/timers/start-timers.js';
import { Timers } from '../processes/timers/timers.js';
import { timers } from '../projections/timers.js';
import { RetrieveTestClockHandler } from '../queries/test-clock.queries.js';
import { TestClocks } from '../test-clocks.js';

export const timerFeature: Feature = {
  streams: [auditStream(testClockDecider, createAuditedResource('test_clock'))],
  projections: [timers],
  controllers: [TestClockController],
  providers: [SetTestClockHandler, TestClockLimits, RetrieveTestClockHandler, TestClocks],
  reactors: [StartTimers, AdvanceTestClocks],
  jobs: [AdvanceTestClocks, Timers],
};
