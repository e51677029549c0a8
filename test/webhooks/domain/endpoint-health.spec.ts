import { DAY_MS, isoAfter } from '../../../src/kernel/clock.js';
import type { EndpointEvent } from '../../../src/webhooks/domain/endpoint.js';
import { judged, type Judgement } from '../../../src/webhooks/domain/endpoint-health.js';
import { endpointActivity, type EndpointActivityDocument } from '../../../src/webhooks/projections/endpoint-activity.js';
import { apply } from '../../../src/kernel/projection.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { attemptOf, failed, NOW, succeeded } from '../facts.js';
import { ended } from '../ended.js';

const after = (days: number) => isoAfter(NOW, days * DAY_MS);
const broken = (days: number) => ended(failed(attemptOf(1)), after(days));
const refused = (days: number) => ended(failed(attemptOf(1), { reason: 'client_error', responseStatus: 410 }), after(days));
const delivered = (days: number) => ended(succeeded(attemptOf(1)), after(days));
const told = (type: EndpointEvent['type'], days: number) => ended({ type, data: { endpointId: 'whs_1' } }, after(days));
const many = (times: number, one: (days: number) => Recorded, days: number) => Array.from({ length: times }, () => one(days));

/** Returns the decision after the last event. */
function judgedAfter(...events: readonly Recorded[]): Judgement {
  const activity = events.reduce<EndpointActivityDocument | null>((known, event) => apply(endpointActivity, known, event), null);
  return judged(activity!, events.at(-1)!.meta.at);
}

describe('An endpoint that keeps failing', () => {
  it('has no effect within the first day', () => expect(judgedAfter(...many(30, broken, 0), broken(0.99))).toBeNull());

  it.each([
    [1, 1],
    [2.9, 1],
    [3, 3],
    [4.9, 3],
  ])('causes a warning after %d days that names %d days', (days, warned) =>
    expect(judgedAfter(broken(0), broken(days))).toEqual({ warn: { reason: 'failing', since: NOW, days: warned, failures: 2 } }),
  );

  it('is disabled after 5 days and 20 retryable failures', () => {
    expect(judgedAfter(...many(19, broken, 0), broken(5))).toEqual({ disable: { since: NOW, days: 5, failures: 20 } });
    expect(judgedAfter(...many(18, broken, 0), broken(5))).toMatchObject({ warn: { days: 3 } });
  });

  it('starts a new failure period after a success', () =>
    expect(judgedAfter(...many(30, broken, 0), delivered(4), broken(4.5), broken(5))).toBeNull());

  it('starts a new failure period when it is enabled again', () =>
    expect(judgedAfter(...many(30, broken, 0), told('EndpointEnabled', 5), broken(5.1))).toBeNull());

  it('is disabled for its refusals when there are 50, and nothing else, within 5 days', () => {
    expect(judgedAfter(...many(49, refused, 0), refused(5))).toEqual({ disable: { since: NOW, days: 5, failures: 50 } });
    expect(judgedAfter(...many(48, refused, 0), refused(5))).toBeNull();
    expect(judgedAfter(...many(50, refused, 0), refused(6.1))).toBeNull();
    expect(judgedAfter(delivered(0), ...many(60, refused, 0), refused(5))).toBeNull();
  });

  it('is disabled for its refusals 5 days after a success at any hour', () =>
    expect(judgedAfter(delivered(0), ...many(60, refused, 0.05), refused(5.06))).toMatchObject({ disable: { failures: 61 } }));

  it('is not disabled for refusals when it has retryable failures', () =>
    expect(judgedAfter(...many(10, broken, 0), ...many(40, refused, 1), refused(5))).toMatchObject({ warn: { failures: 10 } }));

  it('does not count attempts that the service failed to send', () =>
    expect(judgedAfter(...many(30, () => ended(failed(attemptOf(1), { reason: 'service_failure' })), 0), broken(5))).toBeNull());
});

describe('A burst of refusals', () => {
  const HOUR = 1 / 24;

  it('causes a warning within an hour of a rotation', () =>
    expect(judgedAfter(told('SecretRotated', 0), ...many(5, refused, HOUR))).toEqual({
      warn: { reason: 'refused_after_rotation', since: NOW, days: null, failures: 5 },
    }));

  it.each([
    ['is too small', [told('SecretRotated', 0), ...many(4, refused, HOUR)]],
    ['comes later', [told('SecretRotated', 0), ...many(5, refused, 1.1 * HOUR)]],
    ['follows no rotation', many(5, refused, HOUR)],
    ['is interrupted by a success', [told('SecretRotated', 0), ...many(4, refused, 0), delivered(0), refused(HOUR)]],
  ])('causes no warning when it %s', (_, events) => expect(judgedAfter(...events)).toBeNull());
});
