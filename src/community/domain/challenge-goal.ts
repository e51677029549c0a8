import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { GoalType, KnownChallenge } from './challenge.js';

/** The source type of awards that count for challenges with a custom goal. */
const CUSTOM_SOURCE = 'challenge_custom';

/** An activity of a member that may count for a challenge. */
export type Activity =
  | { readonly type: 'post' | 'comment' | 'task'; readonly at: string }
  | {
      readonly type: 'award';
      readonly at: string;
      readonly awardId: string;
      readonly points: number;
      readonly sourceType: string;
      readonly sourceId: string | null;
    };

/** The counted activities of one goal type. */
export interface Progress {
  readonly goalType: GoalType;
  readonly count: number;
  /** The days of a streak, in UTC; empty for other goals. */
  readonly days: readonly string[];
  /** The counted awards, which may be reversed; empty for goals that count no awards. */
  readonly awards: readonly CountedAward[];
}

export type CountedAward = readonly [awardId: string, amount: number];

/** `day`: the new day of a streak; null for other goals. `awardId`: null for an activity that is no award. */
export interface ProgressCount {
  readonly count: number;
  readonly day: string | null;
  readonly awardId: string | null;
}

export function startProgress(goalType: GoalType): Progress {
  return { goalType, count: 0, days: [], awards: [] };
}

export function addCount({ goalType, ...before }: Progress, { count, day, awardId }: ProgressCount): Progress {
  return {
    goalType,
    count,
    days: day === null ? before.days : [...before.days, day],
    awards: awardId === null ? before.awards : [...before.awards, [awardId, count - before.count]],
  };
}

/** Takes a reversed award from the progress. */
export function withdrawAward({ awards, ...same }: Progress, awardId: string, count: number): Progress {
  return { ...same, count, awards: awards.filter(([id]) => id !== awardId) };
}

/** Returns the highest count so far: of a streak the most days in a row. */
export function findHighestCount({ goalType, count, days }: Pick<Progress, 'goalType' | 'count' | 'days'>): number {
  return goalType === 'streak' ? countLongestStreak(days) : count;
}

/** Returns whether the activity is of the goal's type and happened during the challenge. */
export function mayCount(activity: Activity, challenge: KnownChallenge): boolean {
  const { startsAt, endsAt } = challenge.content;
  const isOpen =
    challenge.status !== 'cancelled' && activity.at >= startsAt && (endsAt === null || activity.at < endsAt);
  return isOpen && measureActivity(activity, challenge) > 0;
}

/** Activities that happened before the end may be counted for this time after it. */
const COUNTING_MS = DAY_MS;

/** Returns whether nothing counts for the challenge any more. An ended or cancelled challenge never opens again. */
export function isOver({ status, content: { endsAt } }: KnownChallenge, now: string): boolean {
  return status === 'cancelled' || (endsAt !== null && addMs(endsAt, COUNTING_MS) <= now);
}

/** Returns the count after an activity of the goal's type; null when its day is counted already. */
export function countActivity(activity: Activity, progress: Progress, challenge: KnownChallenge): ProgressCount | null {
  if (progress.goalType === 'streak') return countDay(activity, progress.days, challenge.content.goalTarget);
  const awardId = activity.type === 'award' ? activity.awardId : null;
  return { count: progress.count + measureActivity(activity, challenge), day: null, awardId };
}

function measureActivity(activity: Activity, { id, content }: KnownChallenge): number {
  switch (content.goalType) {
    case 'streak':
      return Number(activity.type === 'post' || activity.type === 'comment');
    case 'posts':
      return Number(activity.type === 'post');
    case 'comments':
      return Number(activity.type === 'comment');
    case 'missions':
      return Number(activity.type === 'task');
    case 'cp':
      return activity.type === 'award' ? Math.max(0, activity.points) : 0;
    case 'custom':
      return Number(isCustomAward(activity, id));
  }
}

/** A source pays a member once, so the source id of a repeatable award has a suffix: `<challenge id>:<any text>`. */
function isCustomAward(activity: Activity, challengeId: string): boolean {
  if (activity.type !== 'award' || activity.sourceType !== CUSTOM_SOURCE) return false;
  return activity.sourceId === challengeId || activity.sourceId?.startsWith(`${challengeId}:`) === true;
}

/**
 * Counts the days in a row up to the latest day. Activities are not counted in their order, so an earlier day may come
 * later, and complete the streak that it belongs to.
 */
function countDay({ at }: Activity, before: readonly string[], goalTarget: number): ProgressCount | null {
  const day = toDate(at);
  if (before.includes(day)) return null;
  const days = new Set([...before, day]);
  const completed = countDaysInRow(days, day);
  const count = completed >= goalTarget ? completed : countDaysInRow(days, findLatest(days));
  return { count, day, awardId: null };
}

/**
 * Returns the days in a row up to now. A day without an activity breaks a streak when the day has passed: then 0.
 * @param now ISO 8601
 */
export function countCurrentStreak(days: readonly string[], now: string): number {
  if (days.length === 0) return 0;
  const latest = findLatest(days);
  return latest < shiftDay(toDate(now), -1) ? 0 : countDaysInRow(new Set(days), latest);
}

function countLongestStreak(days: readonly string[]): number {
  let [longest, current, previous] = [0, 0, ''];
  for (const day of [...days].sort()) {
    current = previous !== '' && shiftDay(previous, 1) === day ? current + 1 : 1;
    longest = Math.max(longest, current);
    previous = day;
  }
  return longest;
}

function findLatest(days: Iterable<string>): string {
  return [...days].sort().at(-1)!;
}

function countDaysInRow(days: ReadonlySet<string>, day: string): number {
  const countBeside = (step: number) => {
    let count = 0;
    for (let next = shiftDay(day, step); days.has(next); next = shiftDay(next, step)) count++;
    return count;
  };
  return 1 + countBeside(-1) + countBeside(1);
}

function shiftDay(day: string, days: number): string {
  return addMs(`${day}T00:00:00.000Z`, days * DAY_MS).slice(0, day.length);
}

function toDate(time: string): string {
  return time.slice(0, 'YYYY-MM-DD'.length);
}
