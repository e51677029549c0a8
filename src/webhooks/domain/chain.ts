import { isoAfter } from '../../kernel/clock.js';
import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { Answer, FailureReason } from './answer.js';
import { answered, lost } from './attempt-end.js';
import { deliveryIdOf } from './delivery-id.js';
import { refuseReplay } from './replay-rules.js';
import type { Retries } from './schedule.js';
import { dropped, reasonToDrop, type DropReason, type Target } from './target.js';

/** Of a chain: the automatic ones, and the rest for replays. */
export const MAX_ATTEMPTS = 20;

/** One public event to one endpoint, from the first attempt to the last: frozen when it is planned. */
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
  /** How often the endpoint had been disabled when the chain was planned: once more, and its retries are dropped. */
  readonly disabledTimes: number;
}

export interface Attempt {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly kind: 'automatic' | 'replay' | 'test';
  readonly replayedFrom: string | null;
  readonly startedAt: string;
}

/** What began an attempt: a run of a job, or of a process under a name that it leases. A later run of the same means that this one is over. */
export interface Run {
  readonly job: string;
  readonly attempt: number;
}

export type Ended = ChainFacts & Attempt;
export type AbandonReason = DropReason | 'schedule_exhausted';

/** What ends an attempt tells the whole delivery record, so that one event makes one document. */
export type ChainEvent =
  | Fact<'ChainPlanned', ChainFacts & { dueAt: string }>
  | Fact<'ChainMissed', ChainFacts & { reason: DropReason }>
  | Fact<'AttemptStarted', Attempt & { chainId: string; leaseUntil: string; run: Run | null }>
  | Fact<'AttemptSucceeded', Ended & { responseStatus: number; durationMs: number; endedAt: string }>
  | Fact<
      'AttemptFailed',
      Ended & { reason: FailureReason; responseStatus: number | null; durationMs: number | null; nextAttemptAt: string | null }
    >
  | Fact<'AttemptLost', Ended & { nextAttemptAt: string | null }>
  | Fact<'ChainAbandoned', { chainId: string; deliveryId: string; endpointId: string; reason: AbandonReason }>;

interface Known {
  readonly facts: ChainFacts;
  /** Begun so far, of any kind, and of them the automatic ones. */
  readonly attempts: number;
  readonly automatic: number;
}

export type Waiting = Known & { readonly status: 'waiting'; readonly dueAt: string };
/** `dueAt`: the automatic attempt that waits until a replay has ended. */
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

  const { facts, attempts, automatic } = chain;
  switch (event.type) {
    case 'AttemptStarted': {
      const { attempt, kind } = event.data;
      const dueAt = kind === 'replay' && chain.status === 'waiting' ? chain.dueAt : null;
      const begun = automatic + (kind === 'automatic' ? 1 : 0);
      return { status: 'sending', facts, attempts: attempt, automatic: begun, open: event.data, dueAt };
    }
    case 'AttemptFailed':
    case 'AttemptLost': {
      const { nextAttemptAt: dueAt } = event.data;
      return dueAt === null ? { status: 'ended', facts, attempts, automatic } : { status: 'waiting', facts, attempts, automatic, dueAt };
    }
    case 'AttemptSucceeded':
    case 'ChainAbandoned':
      return { status: 'ended', facts, attempts, automatic };
  }
}

function planned({ dueAt, ...facts }: ChainFacts & { dueAt: string }): Waiting {
  return { status: 'waiting', facts, attempts: 0, automatic: 0, dueAt };
}

function missed({ reason: _, ...facts }: ChainFacts & { reason: DropReason }): KnownChain {
  return { status: 'missed', facts, attempts: 0, automatic: 0 };
}

export interface Begin {
  readonly leaseMs: number;
  readonly run: Run;
}

export type ChainCommand =
  /** `start`: the first attempt begins with the chain. */
  | { readonly type: 'PlanChain'; readonly facts: ChainFacts; readonly target: Target; readonly start?: Begin }
  | { readonly type: 'SendTest'; readonly facts: ChainFacts; readonly leaseMs: number }
  | { readonly type: 'StartAttempt'; readonly target: Target; readonly leaseMs: number; readonly run: Run }
  | { readonly type: 'Replay'; readonly attempt: number; readonly target: Target; readonly leaseMs: number }
  /** `target`: null when nothing may follow the answer, so that nobody has asked. */
  | {
      readonly type: 'RecordAnswer';
      readonly attempt: number;
      readonly answer: Answer;
      readonly target: Target | null;
      readonly retries: Retries;
    }
  /** `laterRun`: this run of a job has found the attempt open. */
  | { readonly type: 'LoseAttempt'; readonly attempt: number; readonly laterRun: Run | null; readonly retries: Retries }
  | { readonly type: 'DropRetries'; readonly target: Target };

type PlanChain = Extract<ChainCommand, { type: 'PlanChain' }>;
type StartAttempt = Extract<ChainCommand, { type: 'StartAttempt' }>;
type Replay = Extract<ChainCommand, { type: 'Replay' }>;
export type RecordAnswer = Extract<ChainCommand, { type: 'RecordAnswer' }>;
export type LoseAttempt = Extract<ChainCommand, { type: 'LoseAttempt' }>;

function decide(command: ChainCommand, chain: Chain, { now }: Decision): readonly ChainEvent[] {
  switch (command.type) {
    case 'PlanChain':
      return chain.status === 'unknown' ? plan(command, now) : [];
    case 'SendTest':
      return chain.status === 'unknown' ? test(command.facts, command.leaseMs, now) : [];
    case 'StartAttempt':
      return chain.status === 'waiting' ? startOrDrop(command, chain, now) : [];
    case 'Replay':
      refuseReplay(chain, command.attempt, command.target, now);
      return [replay(command, chain, now)];
    case 'RecordAnswer':
      return isOpen(chain, command.attempt) ? answered(chain, command, now) : [];
    case 'LoseAttempt':
      return isOpen(chain, command.attempt) ? lost(chain, command, now) : [];
    case 'DropRetries':
      return chain.status === 'waiting' ? drop(chain, command.target, now) : [];
  }
}

function plan({ facts, target, start: begin }: PlanChain, now: string): readonly ChainEvent[] {
  const data = { ...facts, dueAt: now };
  const chain = planned(data);
  const reason = reasonToDrop(chain, target, now);
  if (reason !== null) return [dropped(chain, reason)];
  return [{ type: 'ChainPlanned', data }, ...(begin === undefined ? [] : [automatic(chain, begin, now)])];
}

function test(facts: ChainFacts, leaseMs: number, now: string): readonly ChainEvent[] {
  return [
    { type: 'ChainPlanned', data: { ...facts, dueAt: now } },
    start(facts, 1, { kind: 'test', replayedFrom: null, leaseMs, run: null, now }),
  ];
}

function startOrDrop({ target, ...begin }: StartAttempt, chain: Waiting, now: string): readonly ChainEvent[] {
  const reason = reasonToDrop(chain, target, now);
  if (reason !== null) return [dropped(chain, reason)];
  if (chain.dueAt > now) return [];
  return [automatic(chain, begin, now)];
}

function automatic({ facts, attempts }: Waiting, { leaseMs, run }: Begin, now: string): ChainEvent {
  return start(facts, attempts + 1, { kind: 'automatic', replayedFrom: null, leaseMs, run, now });
}

function replay({ attempt, leaseMs }: Replay, { facts, attempts }: KnownChain, now: string): ChainEvent {
  const replayedFrom = deliveryIdOf(facts.chainId, attempt);
  return start(facts, attempts + 1, { kind: 'replay', replayedFrom, leaseMs, run: null, now });
}

function drop(chain: Waiting, target: Target, now: string): readonly ChainEvent[] {
  const reason = reasonToDrop(chain, target, now);
  return reason === null ? [] : [dropped(chain, reason)];
}

function start(
  { chainId }: ChainFacts,
  attempt: number,
  { leaseMs, now, ...how }: Pick<Attempt, 'kind' | 'replayedFrom'> & { leaseMs: number; run: Run | null; now: string },
): ChainEvent {
  const deliveryId = deliveryIdOf(chainId, attempt);
  return { type: 'AttemptStarted', data: { chainId, deliveryId, attempt, ...how, startedAt: now, leaseUntil: isoAfter(now, leaseMs) } };
}

function isOpen(chain: Chain, attempt: number): chain is Sending {
  return chain.status === 'sending' && chain.open.attempt === attempt;
}

export const chain: Decider<Chain, ChainCommand, ChainEvent> = {
  category: 'chain',
  initial: { status: 'unknown' },
  evolve,
  decide,
};
