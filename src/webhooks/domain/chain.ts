import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { Answer, RecordedFailure } from './answer.js';
import { answered, lost } from './attempt-end.js';
import { automatic, onlyTest, redelivery, replay } from './attempt-start.js';
import { hold, holdingVersions, isHeldBy, release, skippedAtSending, type HoldingCommand, type HoldingEvent } from './holding.js';
import { refuseReplay } from './replay-rules.js';
import type { Retries } from './schedule.js';
import { dropped, reasonToDrop, type DropReason, type Target } from './target.js';

/** The limit for all attempts of a delivery chain; replays use what automatic attempts leave. */
export const MAX_ATTEMPTS = 20;

/**
 * The delivery of one public event to one endpoint, from the first attempt to the last. The facts never change after
 * planning.
 */
export interface ChainFacts {
  readonly chainId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventVersion: string;
  readonly occurredAt: string;
  readonly endpointId: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly test: boolean;
  readonly maxAttempts: number;
  /** The number of disablings of the endpoint at planning time. After one more disabling, all retries are dropped. */
  readonly disabledTimes: number;
  /** The data of a test event that names an event type. */
  readonly sample?: object;
}

export interface Attempt {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly kind: 'automatic' | 'replay' | 'test' | 'job';
  readonly replayedFrom: string | null;
  readonly startedAt: string;
  /** The replay job that started the attempt. */
  readonly replayJobId?: string;
}

/**
 * The owner of an attempt: one run of a job, or one lease of a process name. `attempt` is the number of the run or
 * lease. A later run of the same `job` proves that this owner has ended.
 */
export interface Run {
  readonly job: string;
  readonly attempt: number;
}

/** `afterSuccess` is true when an earlier attempt of the chain succeeded. */
export type Ended = Omit<ChainFacts, 'sample'> & Attempt & { readonly afterSuccess?: true };
export type AbandonReason = DropReason | 'schedule_exhausted';

/** An event that ends an attempt holds the whole delivery record, so that one event makes one document. */
export type ChainEvent =
  | HoldingEvent
  /** `waits` is true when the first attempt does not start in the same append. */
  | Fact<'ChainPlanned', ChainFacts & { dueAt: string; waits?: true }>
  | Fact<'ChainMissed', ChainFacts & { reason: DropReason }>
  | Fact<'AttemptStarted', Attempt & { chainId: string; leaseUntil: string; run: Run | null; disabledTimes?: number }>
  | Fact<'AttemptSucceeded', Ended & { responseStatus: number; durationMs: number; endedAt: string }>
  /** Version 1 had neither `errorCode` nor the reason `response_too_large`. */
  | Fact<'AttemptFailed', Ended & RecordedFailure & { nextAttemptAt: string | null }>
  | Fact<'AttemptLost', Ended & { nextAttemptAt: string | null }>
  | Fact<'ChainAbandoned', { chainId: string; deliveryId: string; endpointId: string; reason: AbandonReason }>;

export type EndOfAttempt = Extract<ChainEvent, { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' }>;

interface Known {
  readonly facts: ChainFacts;
  /** The number of started attempts of any kind, and the number of automatic ones among them. */
  readonly attempts: number;
  readonly automatic: number;
  /** The number of the latest attempt of a replay job; 0 when there is none. */
  readonly redelivered: number;
  /** The replay job that holds the chain. */
  readonly heldBy: string | null;
  readonly succeeded: boolean;
}

export type Waiting = Known & { readonly status: 'waiting'; readonly dueAt: string };
/** `dueAt` is the time of an automatic attempt that waits until a replay ends. */
export type Sending = Known & {
  readonly status: 'sending';
  readonly open: Attempt & { readonly leaseUntil: string; readonly run: Run | null };
  readonly dueAt: string | null;
};
export type KnownChain = Waiting | Sending | (Known & { readonly status: 'missed' | 'ended' });
export type Chain = { readonly status: 'unknown' } | KnownChain;

function evolve(chain: Chain, event: ChainEvent): Chain {
  if (event.type === 'ChainPlanned') return planned(event.data);
  if (event.type === 'ChainMissed') return missed(event.data);
  if (chain.status === 'unknown') return chain;

  switch (event.type) {
    case 'AttemptStarted':
      return sending(chain, event.data);
    case 'AttemptFailed':
    case 'AttemptLost': {
      const { nextAttemptAt: dueAt } = event.data;
      return dueAt === null ? { ...lasting(chain), status: 'ended' } : { ...lasting(chain), status: 'waiting', dueAt };
    }
    case 'AttemptSucceeded':
      return { ...lasting(chain), status: 'ended', succeeded: true };
    case 'ChainAbandoned':
      return { ...lasting(chain), status: 'ended' };
    case 'ChainHeld':
      return { ...chain, heldBy: event.data.replayJobId };
    case 'ChainSkipped':
    case 'ChainReleased':
      return isHeldBy(chain, event.data.replayJobId) ? { ...chain, heldBy: null } : chain;
  }
}

const UNTOUCHED = { attempts: 0, automatic: 0, redelivered: 0, heldBy: null, succeeded: false };

function planned({ dueAt, waits: _, ...facts }: ChainFacts & { dueAt: string; waits?: true }): Waiting {
  return { status: 'waiting', facts, ...UNTOUCHED, dueAt };
}

function missed({ reason: _, ...facts }: ChainFacts & { reason: DropReason }): KnownChain {
  return { status: 'missed', facts, ...UNTOUCHED };
}

export type Started = Extract<ChainEvent, { type: 'AttemptStarted' }>['data'];

/**
 * A replay keeps a waiting retry. A redelivery of a replay job starts a new schedule with the current `disabledTimes`.
 */
function sending(chain: KnownChain, open: Started): Sending {
  const { attempt: attempts, kind } = open;
  const begun = { ...lasting(chain), status: 'sending', attempts, open, dueAt: null } as const;
  switch (kind) {
    case 'automatic':
      return { ...begun, automatic: chain.automatic + 1 };
    case 'job':
      return { ...begun, automatic: 1, redelivered: attempts, heldBy: null, facts: atEndpointOf(open, chain.facts) };
    case 'replay':
      return { ...begun, dueAt: chain.status === 'waiting' ? chain.dueAt : null };
    case 'test':
      return begun;
  }
}

function atEndpointOf({ disabledTimes }: Started, facts: ChainFacts): ChainFacts {
  return { ...facts, disabledTimes: disabledTimes ?? facts.disabledTimes };
}

function lasting({ facts, attempts, automatic, redelivered, heldBy, succeeded }: KnownChain): Known {
  return { facts, attempts, automatic, redelivered, heldBy, succeeded };
}

export interface Begin {
  readonly leaseMs: number;
  readonly run: Run;
}

export type ChainCommand =
  | HoldingCommand
  /** With `start`, the first attempt starts in the same append. */
  | { readonly type: 'PlanChain'; readonly facts: ChainFacts; readonly target: Target; readonly start?: Begin }
  | { readonly type: 'SendTest'; readonly facts: ChainFacts; readonly leaseMs: number; readonly run?: Run }
  | { readonly type: 'StartAttempt'; readonly target: Target; readonly leaseMs: number; readonly run: Run }
  | { readonly type: 'Replay'; readonly attempt: number; readonly target: Target; readonly leaseMs: number; readonly run?: Run }
  /** `target` is null when no retry can follow, so the endpoint was not read. */
  | {
      readonly type: 'RecordAnswer';
      readonly attempt: number;
      readonly answer: Answer;
      readonly target: Target | null;
      readonly retries: Retries;
    }
  /** `laterOwner` is a later run of the owner's job that found the attempt open. */
  | { readonly type: 'LoseAttempt'; readonly attempt: number; readonly laterRun: Run | null; readonly retries: Retries }
  | { readonly type: 'DropRetries'; readonly target: Target };

type PlanChain = Extract<ChainCommand, { type: 'PlanChain' }>;
type StartAttempt = Extract<ChainCommand, { type: 'StartAttempt' }>;
export type Replay = Extract<ChainCommand, { type: 'Replay' }>;
export type RecordAnswer = Extract<ChainCommand, { type: 'RecordAnswer' }>;
export type LoseAttempt = Extract<ChainCommand, { type: 'LoseAttempt' }>;

function decide(command: ChainCommand, chain: Chain, { now }: Decision): readonly ChainEvent[] {
  switch (command.type) {
    case 'PlanChain':
      return chain.status === 'unknown' ? plan(command, now) : [];
    case 'SendTest':
      return chain.status === 'unknown' ? test(command, now) : [];
    case 'StartAttempt':
      return chain.status === 'waiting' && chain.heldBy === null ? startOrDrop(command, chain, now) : [];
    case 'Replay':
      refuseReplay(chain, command.attempt, command.target, now);
      return [replay(command, chain, now)];
    case 'RecordAnswer':
      return isOpen(chain, command.attempt) ? answered(chain, command, now) : [];
    case 'LoseAttempt':
      return isOpen(chain, command.attempt) ? lost(chain, command, now) : [];
    case 'DropRetries':
      return chain.status === 'waiting' ? drop(chain, command.target, now) : [];
    case 'HoldChain':
      return chain.status === 'unknown' ? [] : hold(command, chain, now);
    case 'Redeliver':
      return isHeldBy(chain, command.replayJobId) ? [skippedAtSending(command, chain, now) ?? redelivery(command, chain, now)] : [];
    case 'ReleaseChain':
      return chain.status === 'unknown' ? [] : release(command.replayJobId, chain);
  }
}

function plan({ facts, target, start: begin }: PlanChain, now: string): readonly ChainEvent[] {
  const data = { ...facts, dueAt: now };
  const chain = planned(data);
  const reason = reasonToDrop(chain, target, now);
  if (reason !== null) return [dropped(chain, reason)];
  if (begin === undefined) return [{ type: 'ChainPlanned', data: { ...data, waits: true } }];
  return [{ type: 'ChainPlanned', data }, automatic(chain, begin, now)];
}

function test(command: Extract<ChainCommand, { type: 'SendTest' }>, now: string): readonly ChainEvent[] {
  return [{ type: 'ChainPlanned', data: { ...command.facts, dueAt: now } }, onlyTest(command, now)];
}

function startOrDrop({ target, ...begin }: StartAttempt, chain: Waiting, now: string): readonly ChainEvent[] {
  const reason = reasonToDrop(chain, target, now);
  if (reason !== null) return [dropped(chain, reason)];
  if (chain.dueAt > now) return [];
  return [automatic(chain, begin, now)];
}

function drop(chain: Waiting, target: Target, now: string): readonly ChainEvent[] {
  const reason = reasonToDrop(chain, target, now);
  return reason === null ? [] : [dropped(chain, reason)];
}

function isOpen(chain: Chain, attempt: number): chain is Sending {
  return chain.status === 'sending' && chain.open.attempt === attempt;
}

export const chain: Decider<Chain, ChainCommand, ChainEvent> = {
  category: 'chain',
  versions: {
    ...holdingVersions,
    ChainPlanned: 1,
    ChainMissed: 1,
    AttemptStarted: 1,
    AttemptSucceeded: 1,
    AttemptFailed: 2,
    AttemptLost: 1,
    ChainAbandoned: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
