import { addMs, DAY_MS } from '../../../src/kernel/clock.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { apply } from '../../../src/kernel/projection.js';
import type { EndpointEvent } from '../../../src/webhooks/domain/endpoint.js';
import { evaluateHealth, type HealthDecision } from '../../../src/webhooks/domain/endpoint-health.js';
import { endpointHealth, type EndpointHealthDocument } from '../../../src/webhooks/projections/endpoint-health.js';
import { createAttempt, failed, NOW, succeeded } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';

const after = (days: number) => addMs(NOW, days * DAY_MS);
const broken = (days: number) => recordedFrom(failed(createAttempt(1)), after(days));
const refused = (days: number) =>
  recordedFrom(failed(createAttempt(1), { reason: 'client_error', responseStatus: 410 }), after(days));
const delivered = (days: number) => recordedFrom(succeeded(createAttempt(1)), after(days));
const recorded = (type: EndpointEvent['type'], days: number) =>
  recordedFrom({ type, data: { endpointId: 'whs_1' } }, after(days));
const repeat = (times: number, one: (days: number) => RecordedEvent, days: number) =>
  Array.from({ length: times }, () => one(days));

/** Returns the decision after the last event. */
function evaluateAfter(...events: readonly RecordedEvent[]): HealthDecision {
  const activity = events.reduce<EndpointHealthDocument | null>(
    (known, event) => apply(endpointHealth, known, event, 'whs_1'),
    null,
  );
  return evaluateHealth(activity!, events.at(-1)!.meta.at);
}

describe('An endpoint that keeps failing', () => {
  it('has no effect within the first day', () =>
    expect(evaluateAfter(...repeat(30, broken, 0), broken(0.99))).toBeNull());

  it.each([
    [1, 1],
    [2.9, 1],
    [3, 3],
    [4.9, 3],
  ])('causes a warning after %d days that names %d days', (days, warned) =>
    expect(evaluateAfter(broken(0), broken(days))).toEqual({
      warn: { reason: 'failing', since: NOW, days: warned, failures: 2 },
    }),
  );

  it('is disabled after 5 days and 20 retryable failures', () => {
    expect(evaluateAfter(...repeat(19, broken, 0), broken(5))).toEqual({
      disable: { since: NOW, days: 5, failures: 20 },
    });
    expect(evaluateAfter(...repeat(18, broken, 0), broken(5))).toMatchObject({ warn: { days: 3 } });
  });

  it('starts a new failure period after a success', () =>
    expect(evaluateAfter(...repeat(30, broken, 0), delivered(4), broken(4.5), broken(5))).toBeNull());

  it('starts a new failure period when it is enabled again', () =>
    expect(evaluateAfter(...repeat(30, broken, 0), recorded('EndpointEnabled', 5), broken(5.1))).toBeNull());

  it('is disabled for its refusals when there are 50, and nothing else, within 5 days', () => {
    expect(evaluateAfter(...repeat(49, refused, 0), refused(5))).toEqual({
      disable: { since: NOW, days: 5, failures: 50 },
    });
    expect(evaluateAfter(...repeat(48, refused, 0), refused(5))).toBeNull();
    expect(evaluateAfter(...repeat(50, refused, 0), refused(6.1))).toBeNull();
    expect(evaluateAfter(delivered(0), ...repeat(60, refused, 0), refused(5))).toBeNull();
  });

  it('is disabled for its refusals 5 days after a success at any hour', () =>
    expect(evaluateAfter(delivered(0), ...repeat(60, refused, 0.05), refused(5.06))).toMatchObject({
      disable: { failures: 61 },
    }));

  it('is not disabled for refusals when it has retryable failures', () =>
    expect(evaluateAfter(...repeat(10, broken, 0), ...repeat(40, refused, 1), refused(5))).toMatchObject({
      warn: { failures: 10 },
    }));

  it('does not count attempts that the service failed to send', () =>
    expect(
      evaluateAfter(
        ...repeat(30, () => recordedFrom(failed(createAttempt(1), { reason: 'service_failure' })), 0),
        broken(5),
      ),
    ).toBeNull());
});

describe('A burst of refusals', () => {
  const HOUR = 1 / 24;

  it('causes a warning within an hour of a rotation', () =>
    expect(evaluateAfter(recorded('SecretRotated', 0), ...repeat(5, refused, HOUR))).toEqual({
      warn: { reason: 'refused_after_rotation', since: NOW, days: null, failures: 5 },
    }));

  it.each([
    ['is too small', [recorded('SecretRotated', 0), ...repeat(4, refused, HOUR)]],
    ['comes later', [recorded('SecretRotated', 0), ...repeat(5, refused, 1.1 * HOUR)]],
    ['follows no rotation', repeat(5, refused, HOUR)],
    [
      'is interrupted by a success',
      [recorded('SecretRotated', 0), ...repeat(4, refused, 0), delivered(0), refused(HOUR)],
    ],
  ])('causes no warning when it %s', (_, events) => expect(evaluateAfter(...events)).toBeNull());
});
