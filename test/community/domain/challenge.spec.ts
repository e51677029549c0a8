import {
  challengeDecider,
  type ChallengeEvent,
  determineStatus,
  normaliseTimezone,
} from '../../../src/community/domain/challenge.js';
import { given } from '../../support/given.js';
import {
  BEFORE_START,
  challengeCancelled,
  challengeCreated,
  ENDS_AT,
  newChallenge,
  STARTS_AT,
} from '../challenge-facts.js';
import { NOW } from '../facts.js';

const create = { type: 'CreateChallenge', challenge: newChallenge } as const;
const edit = (content: object) => ({ type: 'EditChallenge', content }) as const;
const cancel = { type: 'CancelChallenge', userId: 'usr_1' } as const;
const ids = { challengeId: 'chal_1', communityId: 'com_1' };

describe('A challenge', () => {
  it('is created', () => given(challengeDecider).when(create).then(challengeCreated));

  it('is created once', () => given(challengeDecider, challengeCreated).when(create).thenNothing());

  it('starts at its creation by default', () =>
    given(challengeDecider)
      .when({ type: 'CreateChallenge', challenge: { ...newChallenge, startsAt: null } })
      .then({ type: 'ChallengeCreated', data: { ...newChallenge, startsAt: NOW, at: NOW } }));

  it.each([
    ['an end at its start', { endsAt: STARTS_AT }, 'invalid_range', 'ends_at'],
    ['an end before its start', { endsAt: BEFORE_START }, 'invalid_range', 'ends_at'],
    ['an end in the past', { startsAt: '2026-01-01T00:00:00.000Z', endsAt: NOW }, 'invalid_range', 'ends_at'],
    ['an unknown time zone', { deadlineTimezone: 'Europe/Atlantis' }, 'invalid_timezone', 'deadline_timezone'],
    ['an offset as time zone', { deadlineTimezone: '+01:00' }, 'invalid_timezone', 'deadline_timezone'],
    ['a wrong range and time zone', { endsAt: STARTS_AT, deadlineTimezone: 'x' }, 'invalid_range', 'ends_at'],
  ])('refuses %s', (_, content, code, field) => {
    given(challengeDecider)
      .when({ type: 'CreateChallenge', challenge: { ...newChallenge, ...content } })
      .thenRejects(code, field);
    given(challengeDecider, challengeCreated).when(edit(content)).thenRejects(code, field);
  });

  it('records only the fields that an edit changes', () =>
    given(challengeDecider, challengeCreated)
      .when(edit({ title: 'Forty pots', goalTarget: 2, endsAt: null, deadlineTimezone: 'Europe/Berlin' }))
      .then({
        type: 'ChallengeEdited',
        data: { ...ids, at: NOW, changes: { title: 'Forty pots', endsAt: null, deadlineTimezone: 'Europe/Berlin' } },
      }));

  it('compares a new start with the end that it keeps', () =>
    given(challengeDecider, challengeCreated)
      .when(edit({ startsAt: ENDS_AT }))
      .thenRejects('invalid_range'));

  it('ends early by an end in the future', () =>
    given(challengeDecider, challengeCreated)
      .when(edit({ endsAt: '2026-02-01T09:00:00.001Z' }))
      .then({
        type: 'ChallengeEdited',
        data: { ...ids, at: NOW, changes: { endsAt: '2026-02-01T09:00:00.001Z' } },
      }));

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['america/NEW_york', 'America/New_York'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Atlantis', 'Europe/Atlantis'],
  ])('has the time zone %s as %s', (given, kept) => expect(normaliseTimezone(given)).toBe(kept));

  it('records no event for an edit that changes nothing', () =>
    given(challengeDecider, challengeCreated)
      .when(edit({ title: newChallenge.title }))
      .thenNothing());

  it('is cancelled', () => given(challengeDecider, challengeCreated).when(cancel).then(challengeCancelled));

  it('is cancelled once, also after its end', () =>
    given(challengeDecider, challengeCreated, challengeCancelled).when(cancel, { now: ENDS_AT }).thenNothing());

  it('cannot be edited once it is cancelled', () =>
    given(challengeDecider, challengeCreated, challengeCancelled)
      .when(edit({ title: 'x' }))
      .thenRejects('challenge_cancelled'));

  it.each([edit({ title: 'x' }), cancel])('refuses $type after its end', (command) =>
    given(challengeDecider, challengeCreated).when(command, { now: ENDS_AT }).thenRejects('challenge_ended'),
  );

  it('stays as it is after an empty edit, also after its end or cancellation', () => {
    given(challengeDecider, challengeCreated).when(edit({}), { now: ENDS_AT }).thenNothing();
    given(challengeDecider, challengeCreated, challengeCancelled).when(edit({})).thenNothing();
  });

  it.each([edit({}), cancel])('refuses $type when it does not exist', (command) =>
    given(challengeDecider).when(command).thenRejects('not_found'),
  );

  it.each([
    [BEFORE_START, 'scheduled'],
    [STARTS_AT, 'active'],
    ['2026-02-28T23:59:59.999Z', 'active'],
    [ENDS_AT, 'ended'],
  ])('at %s is %s', (now, status) => expect(determineStatus(newChallenge, now)).toBe(status));

  it('never ends when it has no end', () =>
    expect(determineStatus({ startsAt: STARTS_AT, endsAt: null }, '9999-12-31T23:59:59.999Z')).toBe('active'));
});

describe('A challenge at its times', () => {
  const advance = { type: 'AdvanceChallenge', dueAt: NOW } as const;
  const early = { ...newChallenge, startsAt: '2026-02-02T00:00:00.000Z', endsAt: '2026-02-03T00:00:00.000Z' };
  const scheduled: ChallengeEvent = { type: 'ChallengeCreated', data: { ...early, at: NOW } };
  const changeAt = (at: string) => ({ ...ids, at });
  const [START, END] = [early.startsAt, early.endsAt];
  const started: ChallengeEvent = { type: 'ChallengeStarted', data: changeAt(START) };
  const ended: ChallengeEvent = { type: 'ChallengeEnded', data: changeAt(END) };

  it('starts, and then ends', () => {
    given(challengeDecider, scheduled).when(advance, { now: NOW }).thenNothing();
    given(challengeDecider, scheduled).when(advance, { now: START }).then(started);
    given(challengeDecider, scheduled, started).when(advance, { now: END }).then(ended);
  });

  it('starts when its timer runs by a clock that is ahead', () =>
    given(challengeDecider, scheduled)
      .when({ ...advance, dueAt: START }, { now: NOW })
      .then(started));

  it('does so once', () => {
    given(challengeDecider, scheduled, started).when(advance, { now: START }).thenNothing();
    given(challengeDecider, scheduled, started, ended).when(advance, { now: END }).thenNothing();
  });

  it('has only ended when nobody has recorded its start', () =>
    given(challengeDecider, scheduled).when(advance, { now: END }).then(ended));

  it('does neither after it was cancelled', () =>
    given(challengeDecider, scheduled, challengeCancelled).when(advance, { now: END }).thenNothing());

  it('starts at a later time to which it was moved, and not when an edit has started it', () => {
    const moveTo = (startsAt: string, at: string): ChallengeEvent => ({
      type: 'ChallengeEdited',
      data: { ...changeAt(at), changes: { startsAt } },
    });
    const later = '2026-02-02T12:00:00.000Z';
    given(challengeDecider, scheduled, moveTo(later, NOW)).when(advance, { now: START }).thenNothing();
    given(challengeDecider, scheduled, moveTo(later, NOW))
      .when(advance, { now: later })
      .then({ ...started, data: changeAt(later) });
    given(challengeDecider, scheduled, moveTo(NOW, NOW)).when(advance, { now: START }).thenNothing();
  });
});
