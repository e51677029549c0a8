import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** `now` is the new time of the business, and `at` is real time. */
export type TestClockSet = Fact<'TestClockSet', { businessId: string; now: string; at: string }>;

/** Null: the clock was never set and shows real time. */
export interface TestClock {
  readonly now: string | null;
}

export interface SetTestClock {
  readonly type: 'SetTestClock';
  readonly businessId: string;
  readonly now: string;
}

function decide({ businessId, now }: SetTestClock, clock: TestClock, x: DecisionContext): readonly TestClockSet[] {
  if (now < (clock.now ?? x.now))
    throw new Rejection('clock_moves_forward_only', `The clock shows ${clock.now ?? x.now} already.`, 'now');
  return now === clock.now ? [] : [{ type: 'TestClockSet', data: { businessId, now, at: x.now } }];
}

/** The clock of a business in test mode. Its streams have the id of the business. */
export const testClockDecider: Decider<TestClock, SetTestClock, TestClockSet> = {
  category: 'testClock',
  versions: { TestClockSet: 1 },
  initial: { now: null },
  evolve: (_, { data }) => ({ now: data.now }),
  decide,
};
