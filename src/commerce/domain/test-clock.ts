import { toIso } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** In each event, `now` is the new time of the business, and `at` is real time. */
interface Stamp {
  readonly businessId: string;
  readonly now: string;
  readonly at: string;
}

/** Everything that was due until `now` has run. */
export type TestClockSet = Fact<'TestClockSet', Stamp>;

/** The timers that are due until `target` begin to run. */
export type TestClockAdvanceStarted = Fact<'TestClockAdvanceStarted', Stamp & { readonly target: string }>;

export type TestClockEvent = TestClockSet | TestClockAdvanceStarted | Fact<'TestClockAdvanced', Stamp>;

/** `now` null: the clock was never set and shows real time. `target` null: nothing is due before `now`. */
export interface TestClock {
  readonly now: string | null;
  readonly target: string | null;
}

export interface SetTestClock {
  readonly type: 'SetTestClock';
  readonly businessId: string;
  readonly now: string;
  /** The latest time that is allowed. */
  readonly latest: string;
}

export type TestClockCommand =
  | SetTestClock
  /** Records how far the clock has come. */
  | { readonly type: 'AdvanceTestClock'; readonly businessId: string; readonly now: string }
  | { readonly type: 'ReachTarget'; readonly businessId: string; readonly target: string };

/** A clock can be set to at most this many years after real time. */
export const MAX_YEARS_AHEAD = 100;

export function findLatestClockTime(realTime: number): string {
  const latest = new Date(realTime);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS_AHEAD);
  return toIso(latest.getTime());
}

function decide(command: TestClockCommand, clock: TestClock, { now: at }: DecisionContext): readonly TestClockEvent[] {
  const { businessId } = command;
  switch (command.type) {
    case 'SetTestClock':
      return set(command, clock, at);
    case 'AdvanceTestClock': {
      const { now } = command;
      if (clock.target === null || now <= clock.now! || now > clock.target) return [];
      return [{ type: 'TestClockAdvanced', data: { businessId, now, at } }];
    }
    case 'ReachTarget': {
      const { target: now } = command;
      return clock.target === now ? [{ type: 'TestClockSet', data: { businessId, now, at } }] : [];
    }
  }
}

function set({ businessId, now: target, latest }: SetTestClock, clock: TestClock, at: string): TestClockEvent[] {
  if (clock.target !== null)
    throw new Rejection(
      'test_clock_advancing',
      `The clock advances to ${clock.target}. Wait until it is ready.`,
      'now',
    );
  const now = clock.now ?? at;
  if (target < now) throw new Rejection('clock_moves_forward_only', `The clock shows ${now} already.`, 'now');
  if (target === clock.now) return [];
  if (target > latest)
    throw new Rejection('test_clock_too_far', `The latest time that is allowed is ${latest}.`, 'now');
  return [{ type: 'TestClockAdvanceStarted', data: { businessId, now, target, at } }];
}

function evolve(clock: TestClock, { type, data }: TestClockEvent): TestClock {
  switch (type) {
    case 'TestClockAdvanceStarted':
      return { now: data.now, target: data.target };
    case 'TestClockAdvanced':
      return { ...clock, now: data.now };
    case 'TestClockSet':
      return { now: data.now, target: null };
  }
}

/** The clock of a business in test mode. Its streams have the id of the business. */
export const testClockDecider: Decider<TestClock, TestClockCommand, TestClockEvent> = {
  category: 'testClock',
  versions: { TestClockSet: 1, TestClockAdvanceStarted: 1, TestClockAdvanced: 1 },
  initial: { now: null, target: null },
  evolve,
  decide,
};
