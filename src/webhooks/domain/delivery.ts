import type { Decider, Decision } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { Answer, FailureReason } from './answer.js';
import { deliveryIdOf } from './delivery-id.js';
import { answered, lost } from './delivery-outcome.js';
import { dropped, reasonToDrop, refuseReplay, type DropReason, type Target } from './delivery-refusal.js';
import type { Retries } from './schedule.js';

/** Of a chain: the automatic ones, and the rest for replays. */
export const MAX_ATTEMPTS = 20;

export interface Chain {
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

/** The run of a job that began an attempt: a later run of the same job means that this one is over. */
export interface Run {
  readonly job: string;
  readonly attempt: number;
}

export type Ended = Chain & Attempt;
export type AbandonReason = DropReason | 'schedule_exhausted';

/** What ends an attempt tells the whole delivery record, so that one event makes one document. */
export type DeliveryEvent =
  | Fact<'ChainPlanned', Chain & { dueAt: string }>
  | Fact<'ChainMissed', Chain & { reason: DropReason }>
  | Fact<'AttemptStarted', Attempt & { chainId: string; leaseUntil: string; run: Run | null }>
  | Fact<'AttemptSucceeded', Ended & { responseStatus: number; durationMs: number; endedAt: string }>
  | Fact<
      'AttemptFailed',
      Ended & { reason: FailureReason; responseStatus: number | null; durationMs: number | null; nextAttemptAt: string | null }
    >
  | Fact<'AttemptLost', Ended & { nextAttemptAt: string | null }>
  | Fact<'ChainAbandoned', { chainId: string; deliveryId: string; endpointId: string; reason: AbandonReason }>;

interface Known {
  readonly chain: Chain;
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
export type KnownDelivery = Waiting | Sending | (Known & { readonly status: 'missed' | 'ended' });
export type Delivery = { readonly status: 'unknown' } | KnownDelivery;

function evolve(delivery: Delivery, event: DeliveryEvent): Delivery {
  if (event.type === 'ChainPlanned') return planned(event.data);
  if (event.type === 'ChainMissed') return missed(event.data);
  if (delivery.status === 'unknown') return delivery;

  const { chain, attempts, automatic } = delivery;
  switch (event.type) {
    case 'AttemptStarted': {
      const { attempt, kind } = event.data;
      const dueAt = kind === 'replay' && delivery.status === 'waiting' ? delivery.dueAt : null;
      return {
        status: 'sending',
        chain,
        attempts: attempt,
        automatic: automatic + (kind === 'automatic' ? 1 : 0),
        open: event.data,
        dueAt,
      };
    }
    case 'AttemptFailed':
    case 'AttemptLost': {
      const { nextAttemptAt: dueAt } = event.data;
      return dueAt === null ? { status: 'ended', chain, attempts, automatic } : { status: 'waiting', chain, attempts, automatic, dueAt };
    }
    case 'AttemptSucceeded':
    case 'ChainAbandoned':
      return { status: 'ended', chain, attempts, automatic };
  }
}

function planned({ dueAt, ...chain }: Chain & { dueAt: string }): Waiting {
  return { status: 'waiting', chain, attempts: 0, automatic: 0, dueAt };
}

function missed({ reason: _, ...chain }: Chain & { reason: DropReason }): KnownDelivery {
  return { status: 'missed', chain, attempts: 0, automatic: 0 };
}

export type DeliveryCommand =
  | { readonly type: 'PlanChain'; readonly chain: Chain; readonly target: Target }
  | { readonly type: 'SendTest'; readonly chain: Chain; readonly leaseMs: number }
  | { readonly type: 'StartAttempt'; readonly target: Target; readonly leaseMs: number; readonly run: Run }
  | { readonly type: 'Replay'; readonly attempt: number; readonly target: Target; readonly leaseMs: number }
  | { readonly type: 'RecordAnswer'; readonly attempt: number; readonly answer: Answer; readonly target: Target; readonly retries: Retries }
  /** `laterRun`: this run of a job has found the attempt open. */
  | { readonly type: 'LoseAttempt'; readonly attempt: number; readonly laterRun: Run | null; readonly retries: Retries }
  | { readonly type: 'DropRetries'; readonly target: Target };

type StartAttempt = Extract<DeliveryCommand, { type: 'StartAttempt' }>;
export type RecordAnswer = Extract<DeliveryCommand, { type: 'RecordAnswer' }>;
export type LoseAttempt = Extract<DeliveryCommand, { type: 'LoseAttempt' }>;

function decide(command: DeliveryCommand, delivery: Delivery, { now }: Decision): readonly DeliveryEvent[] {
  switch (command.type) {
    case 'PlanChain':
      return delivery.status === 'unknown' ? plan(command.chain, command.target, now) : [];
    case 'SendTest':
      return delivery.status === 'unknown' ? test(command.chain, command.leaseMs, now) : [];
    case 'StartAttempt':
      return delivery.status === 'waiting' && delivery.dueAt <= now ? startOrDrop(command, delivery, now) : [];
    case 'Replay': {
      const { chain, attempts } = refuseReplay(delivery, command.attempt, command.target, now);
      const replayedFrom = deliveryIdOf(chain.chainId, command.attempt);
      return [start(chain, attempts + 1, { kind: 'replay', replayedFrom, leaseMs: command.leaseMs, run: null, now })];
    }
    case 'RecordAnswer':
      return isOpen(delivery, command.attempt) ? answered(delivery, command, now) : [];
    case 'LoseAttempt':
      return isOpen(delivery, command.attempt) ? lost(delivery, command, now) : [];
    case 'DropRetries':
      return delivery.status === 'waiting' ? drop(delivery, command.target, now) : [];
  }
}

function plan(chain: Chain, target: Target, now: string): readonly DeliveryEvent[] {
  if (target.status === 'enabled') return [{ type: 'ChainPlanned', data: { ...chain, dueAt: now } }];
  return [{ type: 'ChainMissed', data: { ...chain, reason: `endpoint_${target.status}` } }];
}

function test(chain: Chain, leaseMs: number, now: string): readonly DeliveryEvent[] {
  return [
    { type: 'ChainPlanned', data: { ...chain, dueAt: now } },
    start(chain, 1, { kind: 'test', replayedFrom: null, leaseMs, run: null, now }),
  ];
}

function startOrDrop({ target, leaseMs, run }: StartAttempt, delivery: Waiting, now: string): readonly DeliveryEvent[] {
  const reason = reasonToDrop(delivery, target, now);
  if (reason !== null) return [dropped(delivery, reason)];
  return [start(delivery.chain, delivery.attempts + 1, { kind: 'automatic', replayedFrom: null, leaseMs, run, now })];
}

function drop(delivery: Waiting, target: Target, now: string): readonly DeliveryEvent[] {
  const reason = reasonToDrop(delivery, target, now);
  return reason === null ? [] : [dropped(delivery, reason)];
}

function start(
  { chainId }: Chain,
  attempt: number,
  { leaseMs, now, ...how }: Pick<Attempt, 'kind' | 'replayedFrom'> & { leaseMs: number; run: Run | null; now: string },
): DeliveryEvent {
  const leaseUntil = new Date(Date.parse(now) + leaseMs).toISOString();
  return {
    type: 'AttemptStarted',
    data: { chainId, deliveryId: deliveryIdOf(chainId, attempt), attempt, ...how, startedAt: now, leaseUntil },
  };
}

function isOpen(delivery: Delivery, attempt: number): delivery is Sending {
  return delivery.status === 'sending' && delivery.open.attempt === attempt;
}

export const delivery: Decider<Delivery, DeliveryCommand, DeliveryEvent> = {
  category: 'delivery',
  initial: { status: 'unknown' },
  evolve,
  decide,
};
