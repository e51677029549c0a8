import { pickLaterTime } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

export const GOAL_TYPES = ['posts', 'comments', 'cp', 'streak', 'missions', 'custom'] as const;
export type GoalType = (typeof GOAL_TYPES)[number];

export const CHALLENGE_STATUSES = ['scheduled', 'active', 'ended', 'cancelled'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

type PlannedStatus = Exclude<ChallengeStatus, 'cancelled'>;

export interface ChallengeContent {
  readonly title: string;
  readonly description: string | null;
  /** The actions that `goalTarget` counts. */
  readonly goalType: GoalType;
  readonly goalTarget: number;
  readonly cpReward: number;
  readonly prizeDescription: string | null;
  readonly startsAt: string;
  /** Exclusive; null for a challenge without an end. */
  readonly endsAt: string | null;
  /** The time zone in which the end is displayed. */
  readonly deadlineTimezone: string;
}

interface NewChallenge extends ChallengeContent {
  readonly challengeId: string;
  readonly communityId: string;
  readonly createdBy: string;
}

interface ChallengeChange {
  readonly challengeId: string;
  readonly communityId: string;
  readonly at: string;
}

export type ChallengeEvent =
  | Fact<'ChallengeCreated', NewChallenge & { at: string }>
  | Fact<'ChallengeEdited', ChallengeChange & { changes: Partial<ChallengeContent> }>
  | Fact<'ChallengeStarted', ChallengeChange>
  | Fact<'ChallengeEnded', ChallengeChange>
  | Fact<'ChallengeCancelled', ChallengeChange & { cancelledBy: string }>;

export interface KnownChallenge {
  /** A planned challenge starts and ends by the clock. */
  readonly status: 'planned' | 'cancelled';
  /** The status by the clock at the latest event. */
  readonly recordedStatus: PlannedStatus;
  readonly id: string;
  readonly communityId: string;
  readonly content: ChallengeContent;
}

export type Challenge = { readonly status: 'unknown' } | KnownChallenge;

function evolve(challenge: Challenge, event: ChallengeEvent): Challenge {
  if (event.type === 'ChallengeCreated') {
    const { challengeId: id, communityId } = event.data;
    const recordedStatus = determineStatus(event.data, event.data.at);
    return { status: 'planned', recordedStatus, id, communityId, content: pickContent(event.data) };
  }
  if (challenge.status === 'unknown') return challenge;

  switch (event.type) {
    case 'ChallengeEdited': {
      const content = { ...challenge.content, ...event.data.changes };
      return { ...challenge, content, recordedStatus: determineStatus(content, event.data.at) };
    }
    case 'ChallengeStarted':
      return { ...challenge, recordedStatus: 'active' };
    case 'ChallengeEnded':
      return { ...challenge, recordedStatus: 'ended' };
    case 'ChallengeCancelled':
      return { ...challenge, status: 'cancelled' };
  }
}

function pickContent({ title, description, goalType, goalTarget, ...rest }: ChallengeContent): ChallengeContent {
  const { cpReward, prizeDescription, startsAt, endsAt, deadlineTimezone } = rest;
  const duration = { startsAt, endsAt, deadlineTimezone };
  return { title, description, goalType, goalTarget, cpReward, prizeDescription, ...duration };
}

/** A challenge starts at `startsAt`, which is the time of its creation when it is null. */
type ChallengeDraft = Omit<NewChallenge, 'startsAt'> & { readonly startsAt: string | null };

export type ChallengeCommand =
  | { readonly type: 'CreateChallenge'; readonly challenge: ChallengeDraft }
  | { readonly type: 'EditChallenge'; readonly content: Partial<ChallengeContent> }
  | { readonly type: 'AdvanceChallenge'; readonly dueAt: string }
  | { readonly type: 'CancelChallenge'; readonly userId: string };

function decide(command: ChallengeCommand, challenge: Challenge, { now: at }: DecisionContext): ChallengeEvent[] {
  if (command.type === 'CreateChallenge') return challenge.status === 'unknown' ? [create(command.challenge, at)] : [];
  if (challenge.status === 'unknown') throw Rejection.notFound();

  const { id: challengeId, communityId } = challenge;
  switch (command.type) {
    case 'EditChallenge': {
      if (Object.keys(command.content).length === 0) return [];
      assertValidSchedule({ ...challenge.content, ...command.content });
      assertChangeable(challenge, at);
      const changes = diff(command.content, challenge.content);
      assertFutureEnd(changes.endsAt ?? null, at);
      if (Object.keys(changes).length === 0) return [];
      return [{ type: 'ChallengeEdited', data: { challengeId, communityId, at, changes } }];
    }
    case 'AdvanceChallenge':
      return advance(challenge, pickLaterTime(at, command.dueAt));
    case 'CancelChallenge':
      if (challenge.status === 'cancelled') return [];
      assertChangeable(challenge, at);
      return [{ type: 'ChallengeCancelled', data: { challengeId, communityId, at, cancelledBy: command.userId } }];
  }
}

/** Records that the challenge has started or ended by the clock. One that ends before it was started has only ended. */
function advance({ status, recordedStatus, id: challengeId, communityId, content }: KnownChallenge, at: string) {
  const current = determineStatus(content, at);
  if (status === 'cancelled' || current === recordedStatus || current === 'scheduled') return [];
  const type = current === 'ended' ? 'ChallengeEnded' : 'ChallengeStarted';
  return [{ type, data: { challengeId, communityId, at } } as const];
}

function create({ startsAt, ...draft }: ChallengeDraft, at: string): ChallengeEvent {
  const challenge = { ...draft, startsAt: startsAt ?? at };
  assertValidSchedule(challenge);
  assertFutureEnd(challenge.endsAt, at);
  return { type: 'ChallengeCreated', data: { ...challenge, at } };
}

function assertValidSchedule({ startsAt, endsAt, deadlineTimezone }: ChallengeContent): void {
  if (endsAt !== null && endsAt <= startsAt)
    throw new Rejection('invalid_range', 'A challenge must end after it starts.', 'ends_at');
  if (!isTimezone(deadlineTimezone))
    throw new Rejection('invalid_timezone', 'The IANA database has no such time zone.', 'deadline_timezone');
}

/** The end of a challenge is final, so nobody ends one by a wrong date. */
function assertFutureEnd(endsAt: string | null, now: string): void {
  if (endsAt !== null && endsAt <= now)
    throw new Rejection('invalid_range', 'The new end of a challenge must be in the future.', 'ends_at');
}

/**
 * Returns the name of a time zone in the letter case of the IANA database, in which other systems look it up. Names
 * without a zone of their own are left as they are.
 */
export function normaliseTimezone(name: string): string {
  if (!isTimezone(name)) return name;
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
}

/** Intl also accepts offsets such as `+01:00`, which are not names of time zones. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Refuses an ended or a cancelled challenge. @throws Rejection challenge_ended, challenge_cancelled */
export function assertChangeable({ status, content }: KnownChallenge, now: string): void {
  if (status === 'cancelled') throw new Rejection('challenge_cancelled', 'The challenge has been cancelled.');
  if (determineStatus(content, now) === 'ended') throw new Rejection('challenge_ended', 'The challenge has ended.');
}

/** Returns the status of a challenge that is not cancelled. */
export function determineStatus(
  { startsAt, endsAt }: Pick<ChallengeContent, 'startsAt' | 'endsAt'>,
  now: string,
): PlannedStatus {
  if (endsAt !== null && endsAt <= now) return 'ended';
  return startsAt <= now ? 'active' : 'scheduled';
}

export const challengeDecider: Decider<Challenge, ChallengeCommand, ChallengeEvent> = {
  category: 'challenge',
  versions: { ChallengeCreated: 1, ChallengeEdited: 1, ChallengeStarted: 1, ChallengeEnded: 1, ChallengeCancelled: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
