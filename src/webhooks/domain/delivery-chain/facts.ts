import type { Fact, Mode } from '../../../kernel/event.js';
import type { AttemptResult, RecordedFailure } from '../attempt-result.js';
import type { RetryPolicy } from '../retry-schedule.js';

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
  /** The replay job that planned the chain; missing in a chain that was planned when the event was recorded. */
  readonly plannedBy?: string;
}

export interface Attempt {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly kind: 'automatic' | 'replay' | 'test' | 'job';
  readonly replayedFrom: string | null;
  readonly startedAt: string;
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

export interface AttemptLease {
  readonly leaseMs: number;
  readonly owner: AttemptOwner;
}

/** The state of an endpoint, read from its stream. */
export interface EndpointState {
  readonly status: 'enabled' | 'disabled' | 'deleted';
  readonly disabledTimes: number;
}

/** The reasons why an automatic attempt is dropped. `cancelled`: the replay job that planned it stopped before. */
export type DropReason = 'endpoint_disabled' | 'endpoint_deleted' | 'expired' | 'attempts_exhausted' | 'cancelled';
export type AbandonReason = DropReason | 'schedule_exhausted';
/** The reasons why a replay job does not redeliver a selected chain. Only jobs of earlier versions recorded `expired`. */
export type SkipReason = 'changed' | 'endpoint_disabled' | 'expired' | 'attempts_exhausted';

export type StartedAttempt = Attempt & {
  chainId: string;
  leaseUntil: string;
  owner: AttemptOwner | null;
  disabledTimes?: number;
  /** The facts of the chain, when this attempt is its first event. */
  facts?: DeliveryChainFacts;
};
/** `afterSuccess` is true when an earlier attempt of the chain succeeded. */
export type EndedAttempt = Omit<DeliveryChainFacts, 'sample'> & Attempt & { readonly afterSuccess?: true };

export interface ReplayJobReference {
  readonly chainId: string;
  readonly endpointId: string;
  readonly replayJobId: string;
}

/** An event that ends an attempt holds the whole delivery record, so that one event makes one document. */
export type DeliveryChainEvent =
  /** Recorded when the first attempt waits. Earlier code also recorded it, without `waits`, before each first attempt. */
  | Fact<'DeliveryChainPlanned', DeliveryChainFacts & { dueAt: string; waits?: true }>
  | Fact<'DeliveryChainMissed', DeliveryChainFacts & { reason: DropReason }>
  /** Version 1 had no `facts`. */
  | Fact<'AttemptStarted', StartedAttempt>
  | Fact<'AttemptSucceeded', EndedAttempt & { responseStatus: number; durationMs: number; endedAt: string }>
  /** Version 1 had neither `errorCode` nor the reason `response_too_large`. */
  | Fact<'AttemptFailed', EndedAttempt & RecordedFailure & { nextAttemptAt: string | null }>
  | Fact<'AttemptLost', EndedAttempt & { nextAttemptAt: string | null }>
  | Fact<'DeliveryChainAbandoned', { chainId: string; deliveryId: string; endpointId: string; reason: AbandonReason }>
  | Fact<'DeliveryChainHeld', ReplayJobReference & { attempt: number }>
  /** Skipping also ends the hold of the job. */
  | Fact<'DeliveryChainSkipped', ReplayJobReference & { reason: SkipReason }>
  | Fact<'DeliveryChainReleased', ReplayJobReference>;

/** The events that a command leads to; empty when nothing changes. */
export type Decision = readonly DeliveryChainEvent[];

export type AttemptEndEvent = Extract<
  DeliveryChainEvent,
  { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' }
>;

export interface DeliveryChainState {
  readonly facts: DeliveryChainFacts;
  /** The number of started attempts of any kind, and the number of automatic ones among them. */
  readonly attempts: number;
  readonly automatic: number;
  /** The number of the latest attempt of a replay job; 0 without one. */
  readonly redelivered: number;
  /** The replay job that holds the chain. */
  readonly heldBy: string | null;
  /** From this time on, automatic attempts are made for some days: that of the event or of the last replay job. */
  readonly deliverableSince: string;
  readonly succeeded: boolean;
}

/** `since`: the start of the attempt before, or the planning, by the clock that set `dueAt`. */
export type WaitingChain = DeliveryChainState & {
  readonly status: 'waiting';
  readonly dueAt: string;
  readonly since: string;
};
/** `dueAt` is the time of an automatic attempt that waits until a replay ends. */
export type SendingChain = DeliveryChainState & {
  readonly status: 'sending';
  readonly open: Attempt & { readonly leaseUntil: string; readonly owner: AttemptOwner | null };
  readonly dueAt: string | null;
};
export type KnownDeliveryChain =
  WaitingChain | SendingChain | (DeliveryChainState & { readonly status: 'missed' | 'ended' });
export type DeliveryChain = { readonly status: 'unknown' } | KnownDeliveryChain;

/** With `start`, the chain begins with its first attempt. */
export interface PlanDeliveryChain {
  readonly type: 'PlanDeliveryChain';
  readonly facts: DeliveryChainFacts;
  readonly endpointState: EndpointState;
  readonly start?: AttemptLease;
}

/**
 * Plans a chain that has no delivery yet, for a replay job. `dueAt`: the time of its first attempt, by which the chains of
 * the job are ordered.
 */
export interface BackfillDeliveryChain {
  readonly type: 'BackfillDeliveryChain';
  readonly facts: DeliveryChainFacts;
  readonly endpointState: EndpointState;
  readonly dueAt: string;
}

export interface SendTest {
  readonly type: 'SendTest';
  readonly facts: DeliveryChainFacts;
  readonly leaseMs: number;
  readonly owner?: AttemptOwner;
}

/** `isCancelled`: the replay job that planned the chain has stopped. It stops only first attempts. */
export interface StartAttempt extends AttemptLease {
  readonly type: 'StartAttempt';
  readonly endpointState: EndpointState;
  readonly isCancelled?: boolean;
}

export interface Replay {
  readonly type: 'Replay';
  readonly attempt: number;
  readonly endpointState: EndpointState;
  readonly leaseMs: number;
  readonly owner?: AttemptOwner;
}

/** `endpointState` is null when no retry can follow, so the endpoint was not read. */
export interface RecordAttemptResult {
  readonly type: 'RecordAttemptResult';
  readonly attempt: number;
  readonly result: AttemptResult;
  readonly endpointState: EndpointState | null;
  readonly retries: RetryPolicy;
}

/** `laterOwner` is a later run of the owner's job that found the attempt open. */
export interface LoseAttempt {
  readonly type: 'LoseAttempt';
  readonly attempt: number;
  readonly laterOwner: AttemptOwner | null;
  readonly retries: RetryPolicy;
}

/** `attempt` is the last attempt of the chain at selection time; 0 for a missed chain. */
export interface HoldDeliveryChain {
  readonly type: 'HoldDeliveryChain';
  readonly replayJobId: string;
  readonly attempt: number;
  readonly endpointState: EndpointState;
}

export interface RedeliverChain extends AttemptLease {
  readonly type: 'RedeliverChain';
  readonly replayJobId: string;
  readonly endpointState: EndpointState;
}

export type DeliveryChainCommand =
  | PlanDeliveryChain
  | BackfillDeliveryChain
  | SendTest
  | StartAttempt
  | Replay
  | RecordAttemptResult
  | LoseAttempt
  | { readonly type: 'DropRetries'; readonly endpointState: EndpointState }
  | HoldDeliveryChain
  | RedeliverChain
  | { readonly type: 'ReleaseDeliveryChain'; readonly replayJobId: string };
