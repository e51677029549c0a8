import { findLatestClockTime, testClockDecider, type TestClockEvent } from '../../../src/commerce/domain/test-clock.js';
import { given } from '../../support/given.js';

const NOW = '2026-02-01T09:00:00.000Z';
const MARCH = '2026-03-01T09:00:00.000Z';
const APRIL = '2026-04-01T09:00:00.000Z';
const LATEST = '2126-02-01T09:00:00.000Z';
const businessId = 'biz_1';
const setTo = (now: string) => ({ type: 'SetTestClock', businessId, now, latest: LATEST }) as const;
const advanceTo = (now: string) => ({ type: 'AdvanceTestClock', businessId, now }) as const;
const reach = (target: string) => ({ type: 'ReachTarget', businessId, target }) as const;

const wasSetTo = (now: string, at = NOW): TestClockEvent => ({ type: 'TestClockSet', data: { businessId, now, at } });
const startedTo = (target: string, now = NOW): TestClockEvent => ({
  type: 'TestClockAdvanceStarted',
  data: { businessId, now, target, at: NOW },
});
const advancedTo = (now: string): TestClockEvent => ({
  type: 'TestClockAdvanced',
  data: { businessId, now, at: NOW },
});

describe('A test clock', () => {
  it('begins to advance to a later time than real time', () =>
    given(testClockDecider).when(setTo(MARCH)).then(startedTo(MARCH)));

  it('begins to advance to a later time again', () =>
    given(testClockDecider, wasSetTo(MARCH)).when(setTo(APRIL)).then(startedTo(APRIL, MARCH)));

  it('refuses an earlier time', () =>
    given(testClockDecider, wasSetTo(APRIL)).when(setTo(MARCH)).thenRejects('clock_moves_forward_only'));

  it('refuses a time before real time when it was never set', () =>
    given(testClockDecider).when(setTo('2020-01-01T00:00:00.000Z')).thenRejects('clock_moves_forward_only'));

  it('is set to the latest time that is allowed, and refuses a millisecond more', () => {
    given(testClockDecider).when(setTo(LATEST)).then(startedTo(LATEST));
    given(testClockDecider).when(setTo('2126-02-01T09:00:00.001Z')).thenRejects('test_clock_too_far');
  });

  it('may show at most a hundred years after real time', () =>
    expect(findLatestClockTime(Date.parse(NOW))).toBe(LATEST));

  it('does nothing when it shows the time already', () =>
    given(testClockDecider, wasSetTo(MARCH)).when(setTo(MARCH)).thenNothing());
});

describe('A test clock that advances', () => {
  const advancing = [startedTo(APRIL)] as const;

  it.each([MARCH, APRIL, LATEST])('refuses to be set to %s', (now) =>
    given(testClockDecider, ...advancing)
      .when(setTo(now))
      .thenRejects('test_clock_advancing'),
  );

  it('records how far it has come, and never goes back or beyond its target', () => {
    given(testClockDecider, ...advancing)
      .when(advanceTo(MARCH))
      .then(advancedTo(MARCH));
    for (const now of [NOW, MARCH, LATEST])
      given(testClockDecider, ...advancing, advancedTo(MARCH))
        .when(advanceTo(now))
        .thenNothing();
  });

  it('reaches its target once, and is ready then', () => {
    given(testClockDecider, ...advancing, advancedTo(MARCH))
      .when(reach(APRIL))
      .then(wasSetTo(APRIL));
    for (const command of [reach(APRIL), advanceTo(APRIL)])
      given(testClockDecider, ...advancing, wasSetTo(APRIL))
        .when(command)
        .thenNothing();
    given(testClockDecider, ...advancing, wasSetTo(APRIL))
      .when(setTo(LATEST))
      .then(startedTo(LATEST, APRIL));
  });

  it('does not reach the target of an earlier request', () =>
    given(testClockDecider, ...advancing)
      .when(reach(MARCH))
      .thenNothing());
});
