import { testClockDecider } from '../../../src/commerce/domain/test-clock.js';
import { AdvanceTestClocks } from '../../../src/commerce/processes/timers/advance-test-clocks.js';
import { StartTimers } from '../../../src/commerce/processes/timers/start-timers.js';
import { Timers } from '../../../src/commerce/processes/timers/timers.js';
import type { TimerEvent } from '../../../src/commerce/projections/timer-changes.js';
import { AreaProjections } from '../../../src/engine/feature.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { addMs, LATEST_TIME, toIso } from '../../../src/kernel/clock.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import type { Mode } from '../../../src/kernel/event.js';
import { createContext, createEvent } from '../../support/jar.js';
import { MemoryContainer } from '../../support/memory/memory-container.js';
import { readTestConfig } from '../../webhooks/test-config.js';
import { CheckoutFixture } from '../checkout-fixture.js';

describe('A timer that starts while a test clock is set', () => {
  let process: MemoryContainer;
  let sales: CheckoutFixture;
  let frozenTime: string;
  beforeEach(async () => {
    sales = new CheckoutFixture();
    process = new MemoryContainer(await readTestConfig())
      .provide(AreaProjections, new AreaProjections([]))
      .provide(Timers, sales.startProcess().timers);
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
    await react('PaymentUnsettled', { paymentId: 'pay_1', checkAt: addMs(frozenTime, ms) }, 'test');

    expect(listQueues()).toEqual(Array.from({ length: jobs }, () => process.get(AdvanceTestClocks).queue.name));
  });

  it('has a job of its own in live mode, as each timer of the same event has', async () => {
    const times = { fundsAt: addMs(frozenTime, 1), disputeAt: addMs(frozenTime, 2) };
    await react('PaymentSucceeded', { paymentId: 'pay_1', ...times }, 'live');

    expect(listQueues()).toEqual(['funds', 'dispute-openings']);
  });

  function listQueues(): string[] {
    return [process, sales].flatMap(({ jobs }) => [...jobs.entries.values()]).map(({ job }) => job.queue);
  }

  async function react(type: string, data: object, mode: Mode): Promise<void> {
    const event = createEvent('started', type, data);
    const recorded = {
      ...event,
      meta: { ...event.meta, mode },
      stream: 'payment-pay_1',
      revision: 1,
      position: '000002',
    };
    await process.get(StartTimers).react(recorded as unknown as RecordedOf<TimerEvent>);
  }
});
