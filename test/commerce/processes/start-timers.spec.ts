import { testClockDecider } from '../../../src/commerce/domain/test-clock.js';
import { AdvanceTestClocks } from '../../../src/commerce/processes/timers/advance-test-clocks.js';
import { StartTimers } from '../../../src/commerce/processes/timers/start-timers.js';
import { Timers } from '../../../src/commerce/processes/timers/timers.js';
import type { TimerEvent } from '../../../src/commerce/projections/timer-changes.js';
import { AreaProjections } from '../../../src/engine/feature.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { addMs, LATEST_TIME, toIso } from '../../../src/kernel/clock.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { createContext, createEvent } from '../../support/jar.js';
import { MemoryContainer } from '../../support/memory/memory-container.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import { CheckoutFixture } from '../checkout-fixture.js';

describe('A timer that starts under a test clock', () => {
  let process: MemoryContainer;
  let frozenTime: string;
  beforeEach(async () => {
    process = new MemoryContainer(await readTestConfig())
      .provide(AreaProjections, new AreaProjections([]))
      .provide(Timers, new CheckoutFixture().startProcess().timers);
    frozenTime = toIso(process.clock.now());
    const set = { type: 'SetTestClock', businessId: 'biz_1', now: frozenTime, latest: LATEST_TIME } as const;
    const reach = { type: 'ReachTarget', businessId: 'biz_1', target: frozenTime } as const;
    for (const command of [set, reach])
      await process.get(Streams).execute(testClockDecider, 'biz_1', command, createContext(command.type));
  });

  it.each([
    ['runs when it is due at exactly the frozen time', 0, 1],
    ['waits when it is due after the frozen time', 1, 0],
  ])('%s', async (_, ms, jobs) => {
    const data = { paymentId: 'pay_1', checkAt: addMs(frozenTime, ms) };
    const event = { ...createEvent('unsettled', 'PaymentUnsettled', data), stream: 'payment-pay_1', revision: 1 };
    await process.get(StartTimers).react({ ...event, position: '000002' } as unknown as RecordedOf<TimerEvent>);

    const queues = [...process.jobs.entries.values()].map(({ job }) => job.queue);
    expect(queues).toEqual(Array.from({ length: jobs }, () => process.get(AdvanceTestClocks).queue.name));
  });
});
