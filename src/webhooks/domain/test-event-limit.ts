import { addMs } from '../../kernel/clock.js';
import { createJsonBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

const TESTS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/**
 * The rate limit for test events of one endpoint. A stream holds the count, so that it applies to all processes
 * together.
 */
export type TestEventLimitEvent = Fact<'TestEventRequested', { endpointId: string; chainId: string; at: string }>;

/** The times of the latest test events. */
type TestEventLimit = readonly string[];

type TestEventLimitCommand = {
  readonly type: 'RequestTestEvent';
  readonly endpointId: string;
  readonly chainId: string;
};

function decide(
  { endpointId, chainId }: TestEventLimitCommand,
  latest: TestEventLimit,
  { now }: DecisionContext,
): readonly TestEventLimitEvent[] {
  const lastMinute = latest.filter((at) => Date.parse(now) - Date.parse(at) < MINUTE_MS);
  if (lastMinute.length < TESTS_PER_MINUTE)
    return [{ type: 'TestEventRequested', data: { endpointId, chainId, at: now } }];
  throw Rejection.rateLimited(`An endpoint accepts at most ${TESTS_PER_MINUTE} test events per minute.`, {
    now,
    until: addMs(lastMinute[0]!, MINUTE_MS),
  });
}

export const testEventLimitDecider: Decider<TestEventLimit, TestEventLimitCommand, TestEventLimitEvent> = {
  category: 'testEventLimit',
  unbounded: true,
  baseline: createJsonBaseline(1),
  versions: { TestEventRequested: 1 },
  initial: [],
  evolve: (latest, { data }) => [...latest, data.at].slice(-TESTS_PER_MINUTE),
  decide,
};
