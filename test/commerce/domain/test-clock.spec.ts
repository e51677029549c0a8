import { testClockDecider } from '../../../src/commerce/domain/test-clock.js';
import { given } from '../../support/given.js';

const MARCH = '2026-03-01T09:00:00.000Z';
const APRIL = '2026-04-01T09:00:00.000Z';
const setTo = (now: string) => ({ type: 'SetTestClock', businessId: 'biz_1', now }) as const;
const wasSetTo = (now: string) => ({ type: 'TestClockSet', data: { businessId: 'biz_1', now, at: '' } }) as const;

describe('A test clock', () => {
  it('is set to a later time than real time', () =>
    given(testClockDecider)
      .when(setTo(MARCH))
      .then({ type: 'TestClockSet', data: { businessId: 'biz_1', now: MARCH, at: '2026-02-01T09:00:00.000Z' } }));

  it('is set to a later time again', () =>
    given(testClockDecider, wasSetTo(MARCH))
      .when(setTo(APRIL))
      .then({ type: 'TestClockSet', data: { businessId: 'biz_1', now: APRIL, at: '2026-02-01T09:00:00.000Z' } }));

  it('refuses an earlier time', () =>
    given(testClockDecider, wasSetTo(APRIL)).when(setTo(MARCH)).thenRejects('clock_moves_forward_only'));

  it('refuses a time before real time when it was never set', () =>
    given(testClockDecider).when(setTo('2020-01-01T00:00:00.000Z')).thenRejects('clock_moves_forward_only'));

  it('does nothing when it shows the time already', () =>
    given(testClockDecider, wasSetTo(MARCH)).when(setTo(MARCH)).thenNothing());
});
