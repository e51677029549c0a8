import type { Decider, DecisionContext } from '../../../kernel/decider.js';
import type { Fact, Mode } from '../../../kernel/event.js';
import type { AttemptResult, RecordedFailure } from '../attempt-result.js';
import type { RetryPolicy } from '../retry-schedule.js';
import { loseAttempt, recordResult } from './attempt-end.js';
import { startAutomatic, startRedelivery, startReplay, startTest } from './attempt-start.js';
import { dropAttempt, type DropReason, type EndpointState, findDropReason } from './endpoint-state.js';
import {
  holdChain,
  isHeldBy,
  releaseChain,
  type ReplayHoldCommand,
  type ReplayHoldEvent,
  replayHoldVersions,
  skipAtSending,
} from './replay-hold.js';
import { assertReplayable } from './replay-rules.js';

/** The limit for all attempts of a delivery chain; replays use what automatic attempts leave. */
export const MAX_ATTEMPTS = 20;

/**
 * The delivery of one public event to one endpoint, from the first attempt to the last. The facts never change after
 * planning.
 */
export interface DeliveryChainFacts {
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
export interface AttemptOwner {
  readonly job: string;
  readonly attempt: number;
}

/** `afterSuccess` is true when an earlier attempt of the chain succeeded. */
export type EndedAttempt = Omit<DeliveryChainFacts, 'sample'> & Attempt & { readonly afterSuccess?: true };
export type AbandonReason = DropReason | 'schedule_exhausted';

/** An event that ends an attempt holds the whole delivery record, so that one event makes one document. */
export type DeliveryChainEvent =
  | ReplayHoldEvent
  /** `waits` is true when the first attempt does not start in the same append. */
  | Fact<'DeliveryChainPlanned', DeliveryChainFacts & { dueAt: string; waits?: true }>
  | Fact<'DeliveryChainMissed', DeliveryChainFacts & { reason: DropReason }>
  | Fact<
      'AttemptStarted',
      Attempt & { chainId: string; leaseUntil: string; owner: AttemptOwner | null; disabledTimes?: number }
    >
  | Fact<'AttemptSucceeded', EndedAttempt & { responseStatus: number; durationMs: number; endedAt: string }>
  /** Version 1 had neither `errorCode` nor the reason `response_too_large`. */
  | Fact<'AttemptFailed', EndedAttempt & RecordedFailure & { nextAttemptAt: string | null }>
  | Fact<'AttemptLost', EndedAttempt & { nextAttemptAt: string | null }>
  | Fact<'DeliveryChainAbandoned', { chainId: string; deliveryId: string; endpointId: string; reason: AbandonReason }>;

export type AttemptEndEvent = Extract<
  DeliveryChainEvent,
  { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' }
>;

interface ChainState {
  readonly facts: DeliveryChainFacts;
  /** The number of started attempts of any kind, and the number of automatic ones among them. */
  readonly attempts: number;
  readonly automatic: number;
  /** The number of the latest attempt of a replay job; 0 when there is none. */
  readonly redelivered: number;
  /** The replay job that holds the chain. */
  readonly heldBy: string | null;
  readonly succeeded: boolean;
}

export type WaitingChain = ChainState & { readonly status: 'waiting'; readonly dueAt: string };
/** `dueAt` is the time of an automatic attempt that waits until a replay ends. */
export type SendingChain = ChainState & {
  readonly status: 'sending';
  readonly open: Attempt & { readonly leaseUntil: string; readonly owner: AttemptOwner | null };
  readonly dueAt: string | null;
};
export type KnownDeliveryChain = WaitingChain | SendingChain | (ChainState & { readonly status: 'missed' | 'ended' });
export type DeliveryChain = { readonly status: 'unknown' } | KnownDeliveryChain;

function evolve(chain: DeliveryChain, event: DeliveryChainEvent): DeliveryChain {
  if (event.type === 'DeliveryChainPlanned') return toWaiting(event.data);
  if (event.type === 'DeliveryChainMissed') return toMissed(event.data);
  if (chain.status === 'unknown') return chain;

  switch (event.type) {
    case 'AttemptStarted':
      return toSending(chain, event.data);
    case 'AttemptFailed':
    case 'AttemptLost': {
      const { nextAttemptAt: dueAt } = event.data;
      return dueAt === null
        ? { ...carryOver(chain), status: 'ended' }
        : { ...carryOver(chain), status: 'waiting', dueAt };
    }
    case 'AttemptSucceeded':
      return { ...carryOver(chain), status: 'ended', succeeded: true };
    case 'DeliveryChainAbandoned':
      return { ...carryOver(chain), status: 'ended' };
    case 'DeliveryChainHeld':
      return { ...chain, heldBy: event.data.replayJobId };
    case 'DeliveryChainSkipped':
    case 'DeliveryChainReleased':
      return isHeldBy(chain, event.data.replayJobId) ? { ...chain, heldBy: null } : chain;
  }
}

const NO_ATTEMPTS = { attempts: 0, automatic: 0, redelivered: 0, heldBy: null, succeeded: false };

function toWaiting({ dueAt, waits: _, ...facts }: DeliveryChainFacts & { dueAt: string; waits?: true }): WaitingChain {
  return { status: 'waiting', facts, ...NO_ATTEMPTS, dueAt };
}

function toMissed({ reason: _, ...facts }: DeliveryChainFacts & { reason: DropReason }): KnownDeliveryChain {
  return { status: 'missed', facts, ...NO_ATTEMPTS };
}

export type StartedAttempt = Extract<DeliveryChainEvent, { type: 'AttemptStarted' }>['data'];

/**
 * A replay keeps a waiting retry. A redelivery of a replay job starts a new schedule with the current `disabledTimes`.
 */
function toSending(chain: KnownDeliveryChain, open: StartedAttempt): SendingChain {
  const { attempt: attempts, kind } = open;
  const started = { ...carryOver(chain), status: 'sending', attempts, open, dueAt: null } as const;
  switch (kind) {
    case 'automatic':
      return { ...started, automatic: chain.automatic + 1 };
    case 'job':
      return {
        ...started,
        automatic: 1,
        redelivered: attempts,
        heldBy: null,
        facts: withDisabledTimes(open, chain.facts),
      };
    case 'replay':
      return { ...started, dueAt: chain.status === 'waiting' ? chain.dueAt : null };
    case 'test':
      return started;
  }
}

function withDisabledTimes({ disabledTimes }: StartedAttempt, facts: DeliveryChainFacts): DeliveryChainFacts {
  return { ...facts, disabledTimes: disabledTimes ?? facts.disabledTimes };
}

function carryOver({ facts, attempts, automatic, redelivered, heldBy, succeeded }: KnownDeliveryChain): ChainState {
  return { facts, attempts, automatic, redelivered, heldBy, succeeded };
}

export interface AttemptLease {
  readonly leaseMs: number;
  readonly owner: AttemptOwner;
}

export type DeliveryChainCommand =
  | ReplayHoldCommand
  /** With `start`, the first attempt starts in the same append. */
  | {
      readonly type: 'PlanDeliveryChain';
      readonly facts: DeliveryChainFacts;
      readonly target: EndpointState;
      readonly start?: AttemptLease;
    }
  | {
      readonly type: 'SendTest';
      readonly facts: DeliveryChainFacts;
      readonly leaseMs: number;
      readonly owner?: AttemptOwner;
    }
  | {
      readonly type: 'StartAttempt';
      readonly target: EndpointState;
      readonly leaseMs: number;
      readonly owner: AttemptOwner;
    }
  | {
      readonly type: 'Replay';
      readonly attempt: number;
      readonly target: EndpointState;
      readonly leaseMs: number;
      readonly owner?: AttemptOwner;
    }
  /** `target` is null when no retry can follow, so the endpoint was not read. */
  | {
      readonly type: 'RecordAttemptResult';
      readonly attempt: number;
      readonly result: AttemptResult;
      readonly target: EndpointState | null;
      readonly retries: RetryPolicy;
    }
  /** `laterOwner` is a later run of the owner's job that found the attempt open. */
  | {
      readonly type: 'LoseAttempt';
      readonly attempt: number;
      readonly laterOwner: AttemptOwner | null;
      readonly retries: RetryPolicy;
    }
  | { readonly type: 'DropRetries'; readonly target: EndpointState };

type PlanDeliveryChain = Extract<DeliveryChainCommand, { type: 'PlanDeliveryChain' }>;
type StartAttempt = Extract<DeliveryChainCommand, { type: 'StartAttempt' }>;
export type Replay = Extract<DeliveryChainCommand, { type: 'Replay' }>;
export type RecordAttemptResult = Extract<DeliveryChainCommand, { type: 'RecordAttemptResult' }>;
export type LoseAttempt = Extract<DeliveryChainCommand, { type: 'LoseAttempt' }>;

function decide(
  command: DeliveryChainCommand,
  chain: DeliveryChain,
  { now }: DecisionContext,
): readonly DeliveryChainEvent[] {
  switch (command.type) {
    case 'PlanDeliveryChain':
      return chain.status === 'unknown' ? plan(command, now) : [];
    case 'SendTest':
      return chain.status === 'unknown' ? sendTest(command, now) : [];
    case 'StartAttempt':
      return chain.status === 'waiting' && chain.heldBy === null ? startOrDrop(command, chain, now) : [];
    case 'Replay':
      assertReplayable(chain, command.attempt, command.target, now);
      return [startReplay(command, chain, now)];
    case 'RecordAttemptResult':
      return isOpen(chain, command.attempt) ? recordResult(chain, command, now) : [];
    case 'LoseAttempt':
      return isOpen(chain, command.attempt) ? loseAttempt(chain, command, now) : [];
    case 'DropRetries':
      return chain.status === 'waiting' ? dropRetries(chain, command.target, now) : [];
    case 'HoldDeliveryChain':
      return chain.status === 'unknown' ? [] : holdChain(command, chain, now);
    case 'RedeliverChain':
      return isHeldBy(chain, command.replayJobId)
        ? [skipAtSending(command, chain, now) ?? startRedelivery(command, chain, now)]
        : [];
    case 'ReleaseDeliveryChain':
      return chain.status === 'unknown' ? [] : releaseChain(command.replayJobId, chain);
  }
}

function plan({ facts, target, start: begin }: PlanDeliveryChain, now: string): readonly DeliveryChainEvent[] {
  const data = { ...facts, dueAt: now };
  const chain = toWaiting(data);
  const reason = findDropReason(chain, target, now);
  if (reason !== null) return [dropAttempt(chain, reason)];
  if (begin === undefined) return [{ type: 'DeliveryChainPlanned', data: { ...data, waits: true } }];
  return [{ type: 'DeliveryChainPlanned', data }, startAutomatic(chain, begin, now)];
}

function sendTest(
  command: Extract<DeliveryChainCommand, { type: 'SendTest' }>,
  now: string,
): readonly DeliveryChainEvent[] {
  return [{ type: 'DeliveryChainPlanned', data: { ...command.facts, dueAt: now } }, startTest(command, now)];
}

function startOrDrop(
  { target, ...begin }: StartAttempt,
  chain: WaitingChain,
  now: string,
): readonly DeliveryChainEvent[] {
  const reason = findDropReason(chain, target, now);
  if (reason !== null) return [dropAttempt(chain, reason)];
  if (chain.dueAt > now) return [];
  return [startAutomatic(chain, begin, now)];
}

function dropRetries(chain: WaitingChain, target: EndpointState, now: string): readonly DeliveryChainEvent[] {
  const reason = findDropReason(chain, target, now);
  return reason === null ? [] : [dropAttempt(chain, reason)];
}

function isOpen(chain: DeliveryChain, attempt: number): chain is SendingChain {
  return chain.status === 'sending' && chain.open.attempt === attempt;
}

export const deliveryChain: Decider<DeliveryChain, DeliveryChainCommand, DeliveryChainEvent> = {
  category: 'deliveryChain',
  versions: {
    ...replayHoldVersions,
    DeliveryChainPlanned: 1,
    DeliveryChainMissed: 1,
    AttemptStarted: 1,
    AttemptSucceeded: 1,
    AttemptFailed: 2,
    AttemptLost: 1,
    DeliveryChainAbandoned: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
