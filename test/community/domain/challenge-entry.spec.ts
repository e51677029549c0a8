import type { ChallengeContent, GoalType } from '../../../src/community/domain/challenge.js';
import { challengeEntryDecider, type ChallengeEntryEvent } from '../../../src/community/domain/challenge-entry.js';
import { type Activity, countCurrentStreak } from '../../../src/community/domain/challenge-goal.js';
import { given } from '../../support/given.js';
import {
  aChallenge,
  BEFORE_START,
  challengeJoined,
  ENDS_AT,
  entryIds,
  progressCounted,
  STARTS_AT,
} from '../challenge-facts.js';
import { NOW } from '../facts.js';

const join = (challenge = aChallenge()) =>
  ({ type: 'JoinChallenge', challenge, memberId: 'mem_2', userId: 'usr_2' }) as const;
const count = (activity: Activity, content: Partial<ChallengeContent> = {}) =>
  ({ type: 'CountProgress', challenge: aChallenge(content), activity }) as const;

const post = (at = NOW): Activity => ({ type: 'post', at });
const award = (sourceType: string, sourceId: string | null, points = 30): Activity => ({
  type: 'award',
  at: NOW,
  awardId: 'pta_1',
  points,
  sourceType,
  sourceId,
});
const awardOf = (activity: Activity) => ({ awardId: activity.type === 'award' ? activity.awardId : null });
const reach = (content: Partial<ChallengeContent> = {}) =>
  ({ type: 'CompleteReached', challenge: aChallenge(content), at: NOW }) as const;
const withdraw = (awardId: string) => ({ type: 'WithdrawAward', challenge: aChallenge(), awardId, at: NOW }) as const;
const closed: ChallengeEntryEvent = { type: 'ChallengeEntryClosed', data: { ...entryIds, at: NOW } };
const completed = (data: object = {}): ChallengeEntryEvent => ({
  type: 'ChallengeCompleted',
  data: { ...entryIds, count: 2, goalTarget: 2, cpReward: 50, at: NOW, ...data },
});

describe('An entry of a challenge', () => {
  it('begins by joining', () => given(challengeEntryDecider).when(join()).then(challengeJoined()));

  it('begins before the challenge starts', () =>
    given(challengeEntryDecider)
      .when(join(), { now: BEFORE_START })
      .then(challengeJoined({ at: BEFORE_START })));

  it('begins once, and stays after the challenge', () => {
    given(challengeEntryDecider, challengeJoined()).when(join()).thenNothing();
    given(challengeEntryDecider, challengeJoined()).when(join(), { now: ENDS_AT }).thenNothing();
  });

  it('is refused after the end of the challenge', () =>
    given(challengeEntryDecider).when(join(), { now: ENDS_AT }).thenRejects('challenge_ended'));

  it('is refused for a cancelled challenge', () =>
    given(challengeEntryDecider)
      .when(join({ ...aChallenge(), status: 'cancelled' }))
      .thenRejects('challenge_cancelled'));

  it('counts an activity', () =>
    given(challengeEntryDecider, challengeJoined()).when(count(post())).then(progressCounted()));

  it('is completed when the count reaches the target', () =>
    given(challengeEntryDecider, challengeJoined(), progressCounted())
      .when(count(post()))
      .then(progressCounted({ count: 2 }), completed()));

  it('counts nothing after its completion', () =>
    given(challengeEntryDecider, challengeJoined(), progressCounted({ count: 2 }), completed())
      .when(count(post()))
      .thenNothing());

  it('counts nothing for a cancelled challenge', () =>
    given(challengeEntryDecider, challengeJoined())
      .when({ type: 'CountProgress', challenge: { ...aChallenge(), status: 'cancelled' }, activity: post() })
      .thenNothing());

  it.each([
    ['a day after the end', aChallenge(), '2026-03-02T00:00:00.000Z', true],
    ['within a day after the end', aChallenge(), '2026-03-01T23:59:59.999Z', false],
    ['without an end', aChallenge({ endsAt: null }), '2026-03-02T00:00:00.000Z', false],
    ['of a cancelled challenge', { ...aChallenge(), status: 'cancelled' } as const, NOW, true],
  ])('is closed or not: %s', (_, challenge, at, closes) =>
    given(challengeEntryDecider, challengeJoined())
      .when({ type: 'CloseEntry', challenge, activity: post(at) })
      .then(...(closes ? [closed] : [])),
  );

  it('is closed once, and then counts nothing', () => {
    const over = { ...aChallenge(), status: 'cancelled' } as const;
    given(challengeEntryDecider, challengeJoined(), closed)
      .when({ type: 'CloseEntry', challenge: over, activity: post() })
      .thenNothing();
    given(challengeEntryDecider, challengeJoined(), closed).when(count(post())).thenNothing();
  });

  it('stays completed', () =>
    given(challengeEntryDecider, challengeJoined(), progressCounted({ count: 2 }), completed())
      .when({ type: 'CloseEntry', challenge: { ...aChallenge(), status: 'cancelled' }, activity: post() })
      .thenNothing());

  it('refuses progress when nobody has joined', () =>
    given(challengeEntryDecider).when(count(post())).thenRejects('not_found'));

  it.each([
    ['before joining', '2026-02-01T08:59:59.999Z', {}, false],
    ['at joining', NOW, {}, true],
    ['before the start', NOW, { startsAt: '2026-02-02T00:00:00.000Z' }, false],
    ['at the start', '2026-02-02T00:00:00.000Z', { startsAt: '2026-02-02T00:00:00.000Z' }, true],
    ['before the end', '2026-02-28T23:59:59.999Z', {}, true],
    ['at the end', ENDS_AT, {}, false],
    ['without an end', ENDS_AT, { endsAt: null }, true],
  ])('counts an activity %s or not', (_, at, content, counts) =>
    given(challengeEntryDecider, challengeJoined())
      .when(count(post(at), content))
      .then(...(counts ? [progressCounted({ at })] : [])),
  );

  it.each<[GoalType, string, Activity, number]>([
    ['posts', 'a comment', { type: 'comment', at: NOW }, 0],
    ['comments', 'a comment', { type: 'comment', at: NOW }, 1],
    ['comments', 'a post', post(), 0],
    ['missions', 'a task', { type: 'task', at: NOW }, 1],
    ['missions', 'a post', post(), 0],
    ['cp', 'an award of 30 points', award('manual', null), 30],
    ['cp', 'a negative award', award('manual', null, -30), 0],
    ['cp', 'a post', post(), 0],
    ['custom', 'an award for the challenge', award('challenge_custom', 'chal_1'), 1],
    ['custom', 'an award with a suffix', award('challenge_custom', 'chal_1:kiln'), 1],
    ['custom', 'an award for another challenge', award('challenge_custom', 'chal_12'), 0],
    ['custom', 'an award of another source', award('course', 'chal_1'), 0],
    ['custom', 'a manual award', award('manual', null), 0],
  ])('with the goal %s counts %s as the number of its unit', (goalType, _, activity, amount) =>
    given(challengeEntryDecider, challengeJoined({ goalType, goalTarget: 100 }))
      .when(count(activity, { goalType, goalTarget: 100 }))
      .then(
        ...(amount === 0 ? [] : [progressCounted({ goalType, goalTarget: 100, count: amount, ...awardOf(activity) })]),
      ),
  );

  it('starts to count again when the goal counts something else', () =>
    given(challengeEntryDecider, challengeJoined(), progressCounted())
      .when(count({ type: 'comment', at: NOW }, { goalType: 'comments' }))
      .then(progressCounted({ goalType: 'comments' })));
});

describe('A goal that was lowered', () => {
  const twoOfFive = progressCounted({ count: 2, goalTarget: 5 });

  it('is completed by the count so far', () =>
    given(challengeEntryDecider, challengeJoined(), twoOfFive).when(reach()).then(completed()));

  it('stays open above the count', () =>
    given(challengeEntryDecider, challengeJoined(), twoOfFive)
      .when(reach({ goalTarget: 3 }))
      .thenNothing());

  it('is completed once', () =>
    given(challengeEntryDecider, challengeJoined(), twoOfFive, completed()).when(reach()).thenNothing());

  it('is not completed by what another goal counted', () =>
    given(challengeEntryDecider, challengeJoined(), twoOfFive)
      .when(reach({ goalType: 'comments', goalTarget: 1 }))
      .thenNothing());

  it('is not completed in a cancelled challenge or a closed entry', () => {
    given(challengeEntryDecider, challengeJoined(), twoOfFive)
      .when({ ...reach(), challenge: { ...aChallenge(), status: 'cancelled' } })
      .thenNothing();
    given(challengeEntryDecider, challengeJoined(), twoOfFive, closed).when(reach()).thenNothing();
  });

  it('is completed by the longest streak so far', () => {
    const streak = { goalType: 'streak', goalTarget: 5 } as const;
    const on = (day: string, count: number) => progressCounted({ ...streak, day: `2026-02-${day}`, count });
    const entry = [challengeJoined(streak), on('02', 1), on('03', 2), on('09', 1)];
    given(challengeEntryDecider, ...entry)
      .when(reach({ goalType: 'streak', goalTarget: 2 }))
      .then(completed());
    given(challengeEntryDecider, ...entry)
      .when(reach({ goalType: 'streak', goalTarget: 3 }))
      .thenNothing();
  });
});

describe('An award that is reversed', () => {
  const cp = { goalType: 'cp', goalTarget: 100 } as const;
  const paid = [
    challengeJoined(cp),
    progressCounted({ ...cp, count: 30, awardId: 'pta_1' }),
    progressCounted({ ...cp, count: 80, awardId: 'pta_2' }),
  ];
  const withdrawn = (awardId: string, count: number): ChallengeEntryEvent => ({
    type: 'ProgressWithdrawn',
    data: { ...entryIds, count, awardId, at: NOW },
  });

  it('is taken from the count', () => {
    given(challengeEntryDecider, ...paid)
      .when(withdraw('pta_1'))
      .then(withdrawn('pta_1', 50));
    given(challengeEntryDecider, ...paid, withdrawn('pta_1', 50))
      .when(withdraw('pta_2'))
      .then(withdrawn('pta_2', 0));
  });

  it('is taken once, and only when it was counted', () => {
    given(challengeEntryDecider, ...paid, withdrawn('pta_1', 50))
      .when(withdraw('pta_1'))
      .thenNothing();
    given(challengeEntryDecider, ...paid)
      .when(withdraw('pta_3'))
      .thenNothing();
  });

  it('leaves a completed goal as it is', () =>
    given(challengeEntryDecider, ...paid, completed({ count: 80, goalTarget: 80 }))
      .when(withdraw('pta_1'))
      .thenNothing());

  it('was counted for a goal that the challenge no longer has', () =>
    given(challengeEntryDecider, ...paid, progressCounted())
      .when(withdraw('pta_1'))
      .thenNothing());

  it('counts no more towards the goal', () =>
    given(challengeEntryDecider, ...paid, withdrawn('pta_2', 30))
      .when(count({ ...award('manual', null, 60), awardId: 'pta_3' } as Activity, cp))
      .then(progressCounted({ ...cp, count: 90, awardId: 'pta_3' })));
});

describe('A streak', () => {
  const day = (date: string) => `2026-02-${date}T12:00:00.000Z`;
  const streak = { goalType: 'streak', goalTarget: 3 } as const;
  const begin = challengeJoined({ ...streak, at: STARTS_AT });
  const counted = (date: string, days: number) =>
    progressCounted({ ...streak, count: days, day: `2026-02-${date}`, at: day(date) });
  const completedOn = (date: string, days: number) => completed({ count: days, goalTarget: 3, at: day(date) });

  it('counts a day once', () =>
    given(challengeEntryDecider, begin, counted('02', 1))
      .when(count({ type: 'comment', at: day('02') }, streak))
      .thenNothing());

  it('counts days in a row', () =>
    given(challengeEntryDecider, begin, counted('02', 1))
      .when(count({ type: 'comment', at: day('03') }, streak))
      .then(counted('03', 2)));

  it('starts again after a day without activity', () =>
    given(challengeEntryDecider, begin, counted('02', 1), counted('03', 2))
      .when(count(post(day('05')), streak))
      .then(counted('05', 1)));

  it('is completed by enough days in a row', () =>
    given(challengeEntryDecider, begin, counted('02', 1), counted('03', 2))
      .when(count(post(day('04')), streak))
      .then(counted('04', 3), completedOn('04', 3)));

  it('includes an earlier day that is counted later', () =>
    given(challengeEntryDecider, begin, counted('02', 1), counted('04', 1))
      .when(count(post(day('03')), streak))
      .then(counted('03', 3), completedOn('03', 3)));

  it('is completed by earlier days that are counted later', () =>
    given(challengeEntryDecider, begin, counted('02', 1), counted('03', 2), counted('09', 1))
      .when(count(post(day('04')), streak))
      .then(counted('04', 3), completedOn('04', 3)));

  it('ends at the latest day when an earlier day is counted later', () =>
    given(challengeEntryDecider, begin, counted('09', 1))
      .when(count(post(day('04')), streak))
      .then(counted('04', 1)));

  it('counts the days up to the latest one, in any order of counting', () => {
    const earlier = [begin, counted('01', 1), counted('04', 1), counted('05', 2)];
    given(challengeEntryDecider, ...earlier)
      .when(count(post(day('02')), streak))
      .then(counted('02', 2));
    given(challengeEntryDecider, begin, counted('04', 1), counted('05', 2))
      .when(count(post(day('01')), streak))
      .then(counted('01', 2));
    given(challengeEntryDecider, begin, counted('01', 1), counted('02', 2))
      .when(count(post(day('05')), streak))
      .then(counted('05', 1));
  });

  it.each([
    ['on its latest day', '2026-02-05T23:59:59.999Z', 2],
    ['on the day after', '2026-02-06T23:59:59.999Z', 2],
    ['when a day has passed without activity', '2026-02-07T00:00:00.000Z', 0],
    ['long after', '2026-06-01T00:00:00.000Z', 0],
  ])('shows its days %s', (_, now, days) =>
    expect(countCurrentStreak(['2026-02-01', '2026-02-05', '2026-02-04'], now)).toBe(days),
  );

  it('shows 0 before the first activity', () => expect(countCurrentStreak([], NOW)).toBe(0));

  it('counts no awards', () =>
    given(challengeEntryDecider, begin)
      .when(count(award('manual', null), streak))
      .thenNothing());
});
