import type { RecordedOf } from '../../../src/kernel/event.js';
import type { EndpointEvent } from '../../../src/webhooks/domain/endpoint.js';
import type { EndpointWarning } from '../../../src/webhooks/domain/endpoint-health.js';
import { findDueNotice, toNotice } from '../../../src/webhooks/domain/endpoint-notice.js';
import { SETTINGS } from '../facts.js';

const endpointId = 'whs_1';
const times = { lastSuccessAt: null, lastFailureAt: '2026-02-01T09:00:00.000Z' };
const failing: EndpointWarning = { reason: 'failing', since: '2026-01-31T09:00:00.000Z', days: 1, failures: 7 };
const refused: EndpointWarning = {
  reason: 'refused_after_rotation',
  since: '2026-02-01T08:00:00.000Z',
  days: null,
  failures: 5,
};

/** An event with its time as its id. */
function at(time: string, { type, data }: EndpointEvent): RecordedOf<EndpointEvent> {
  return { id: time, type, data, meta: { at: `2026-02-${time}:00.000Z` } } as RecordedOf<EndpointEvent>;
}

const warned = (time: string, warning = failing) =>
  at(time, { type: 'EndpointWarned', data: { endpointId, warning, ...times } });
const gaveUp = (time: string) =>
  at(time, {
    type: 'EndpointDisabled',
    data: { endpointId, reason: 'failing', since: failing.since, failures: 20, ...times },
  });
const disabled = (time: string) => at(time, { type: 'EndpointDisabled', data: { endpointId, reason: 'manual' } });
const enabled = (time: string) => at(time, { type: 'EndpointEnabled', data: { endpointId } });
const edited = (time: string) =>
  at(time, { type: 'EndpointEdited', data: { endpointId, changes: { description: 'Ours' } } });
const deleted = (time: string) => at(time, { type: 'EndpointDeleted', data: { endpointId } });
const created = at('01T00:00', {
  type: 'EndpointCreated',
  data: { ...SETTINGS, endpointId, businessId: 'biz_1', mode: 'live', secretId: 'sec_1' },
});

/** The ids of the events whose mail is due at the end of this history. */
const listDue = (...history: readonly RecordedOf<EndpointEvent>[]) =>
  history.map(({ id }) => id).filter((id) => findDueNotice([created, ...history], id) !== null);

describe('The notice of an endpoint', () => {
  it('tells of a warning what the warning says', () =>
    expect(findDueNotice([created, warned('01T09:00')], '01T09:00')).toEqual({
      kind: 'warning',
      reason: 'failing',
      since: failing.since,
      failures: 7,
      at: '2026-02-01T09:00:00.000Z',
    }));

  it('tells of the disabling by the service', () =>
    expect(findDueNotice([created, gaveUp('05T09:00')], '05T09:00')).toEqual({
      kind: 'disabled',
      reason: 'failing',
      since: failing.since,
      failures: 20,
      at: '2026-02-05T09:00:00.000Z',
    }));

  it('is not made of a request of the owner', () =>
    expect(
      [created, edited('02T09:00'), disabled('02T10:00'), enabled('02T11:00'), deleted('02T12:00')].map(toNotice),
    ).toEqual([null, null, null, null, null]));

  it('still holds after the endpoint was edited', () =>
    expect(listDue(warned('01T09:00'), edited('01T10:00'))).toEqual(['01T09:00']));

  it.each([
    ['disabled by its owner', disabled('01T10:00')],
    ['deleted', deleted('01T10:00')],
  ])('no longer holds when the endpoint was %s before the mail', (_, end) => {
    expect(listDue(warned('01T09:00'), end)).toEqual([]);
  });

  it('no longer holds when the endpoint was enabled again', () =>
    expect(listDue(gaveUp('05T09:00'), enabled('05T10:00'))).toEqual([]));

  it('of a warning gives way to that of the disabling', () =>
    expect(listDue(warned('03T09:00'), gaveUp('05T09:00'))).toEqual(['05T09:00']));

  it('of a warning is not repeated while the endpoint keeps failing', () =>
    expect(listDue(warned('01T09:00'), warned('03T09:00', { ...failing, days: 3 }))).toEqual(['01T09:00']));

  it('of an old warning gives way to that of later failures', () =>
    expect(listDue(warned('01T09:00'), warned('03T09:00', { ...failing, since: '2026-02-02T09:00:00.000Z' }))).toEqual([
      '03T09:00',
    ]));

  it('is made at most once in 24 hours for each kind, also for another reason', () => {
    expect(listDue(warned('01T09:00'), warned('02T08:59', refused))).toEqual(['01T09:00']);
    expect(listDue(warned('01T09:00'), warned('02T09:00', refused))).toEqual(['02T09:00']);
  });

  it('counts the day from the last mail, not from a warning that had none', () =>
    expect(listDue(warned('01T09:00'), warned('01T21:00', refused), warned('02T09:30', refused))).toEqual([
      '02T09:30',
    ]));

  it('of a disabling does not wait for a day after a warning', () =>
    expect(listDue(warned('05T08:00', refused), gaveUp('05T09:00'))).toEqual(['05T09:00']));

  it('counts the day also over a break', () =>
    expect(listDue(warned('01T09:00', refused), disabled('01T10:00'), enabled('01T11:00'), warned('01T12:00'))).toEqual(
      [],
    ));
});
