import type { DecisionContext } from '../../../kernel/decider.js';
import type { OwnedDecider } from '../../../kernel/ownership.js';
import { isDatedAhead } from '../clock-skew.js';
import { dropAttempt, findDropReason } from './attempt-drop.js';
import { loseAttempt, recordResult } from './attempt-end.js';
import { startAutomatic, startFirst, startReplay, startTest } from './attempt-start.js';
import type {
  BackfillDeliveryChain,
  Decision,
  DeliveryChain,
  DeliveryChainCommand,
  DeliveryChainEvent,
  DeliveryChainFacts,
  DeliveryChainState,
  DropReason,
  EndpointState,
  KnownDeliveryChain,
  PlanDeliveryChain,
  SendingChain,
  StartAttempt,
  StartedAttempt,
  WaitingChain,
} from './facts.js';
import { holdChain, isHeldBy, redeliverChain, releaseChain } from './replay-hold.js';
import { assertReplayable } from './replay-rules.js';

function evolve(chain: DeliveryChain, event: DeliveryChainEvent): DeliveryChain {
  if (event.type === 'DeliveryChainPlanned') return toWaiting(event.data);
  if (event.type === 'DeliveryChainMissed') return toMissed(event.data);
  if (event.type === 'AttemptStarted' && event.data.facts !== undefined)
    return toFirstSending(event.data.facts, event.data);
  if (chain.status === 'unknown') return chain;

  switch (event.type) {
    case 'AttemptStarted':
      return toSending(chain, event.data);
    case 'AttemptFailed':
    case 'AttemptLost':
      return toFollowUp(chain, event.data);
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
  const deliverableSince = facts.plannedBy === undefined ? facts.occurredAt : dueAt;
  return { status: 'waiting', facts, ...NO_ATTEMPTS, deliverableSince, dueAt, since: dueAt };
}

function toMissed({ reason: _, ...facts }: DeliveryChainFacts & { reason: DropReason }): KnownDeliveryChain {
  return { status: 'missed', facts, ...NO_ATTEMPTS, deliverableSince: facts.occurredAt };
}

function toFirstSending(facts: DeliveryChainFacts, { facts: _, ...open }: StartedAttempt): SendingChain {
  return toSending(toWaiting({ ...facts, dueAt: open.startedAt }), open);
}

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
        deliverableSince: open.startedAt,
        facts: withDisabledTimes(open, chain.facts),
      };
    case 'replay':
      return { ...started, dueAt: chain.status === 'waiting' ? chain.dueAt : null };
    case 'test':
      return started;
  }
}

function toFollowUp(
  chain: KnownDeliveryChain,
  { nextAttemptAt: dueAt, startedAt: since }: { readonly nextAttemptAt: string | null; readonly startedAt: string },
): KnownDeliveryChain {
  return dueAt === null
    ? { ...carryOver(chain), status: 'ended' }
    : { ...carryOver(chain), status: 'waiting', dueAt, since };
}

function withDisabledTimes({ disabledTimes }: StartedAttempt, facts: DeliveryChainFacts): DeliveryChainFacts {
  return { ...facts, disabledTimes: disabledTimes ?? facts.disabledTimes };
}

function carryOver({
  facts,
  attempts,
  automatic,
  redelivered,
  heldBy,
  deliverableSince,
  succeeded,
}: KnownDeliveryChain): DeliveryChainState {
  return { facts, attempts, automatic, redelivered, heldBy, deliverableSince, succeeded };
}

function decide(command: DeliveryChainCommand, chain: DeliveryChain, { now }: DecisionContext): Decision {
  switch (command.type) {
    case 'PlanDeliveryChain':
      return chain.status === 'unknown' ? plan(command, now) : [];
    case 'BackfillDeliveryChain':
      return isUndelivered(chain) ? backfill(command) : [];
    case 'SendTest':
      return chain.status === 'unknown' ? [startTest(command, now)] : [];
    case 'StartAttempt':
      return chain.status === 'waiting' && chain.heldBy === null ? startOrDrop(command, chain, now) : [];
    case 'Replay':
      assertReplayable(chain, command.attempt, command.endpointState, now);
      return [startReplay(command, chain, now)];
    case 'RecordAttemptResult':
      return isOpen(chain, command.attempt) ? recordResult(chain, command, now) : [];
    case 'LoseAttempt':
      return isOpen(chain, command.attempt) ? loseAttempt(chain, command, now) : [];
    case 'DropRetries':
      return chain.status === 'waiting' ? dropRetries(chain, command.endpointState, now) : [];
    case 'HoldDeliveryChain':
      return chain.status === 'unknown' ? [] : holdChain(command, chain);
    case 'RedeliverChain':
      return redeliverChain(command, chain, now);
    case 'ReleaseDeliveryChain':
      return releaseChain(command.replayJobId, chain);
  }
}

function plan({ facts, endpointState, start: begin }: PlanDeliveryChain, now: string): Decision {
  const data = { ...facts, dueAt: now, waits: true } as const;
  const chain = toWaiting(data);
  const reason = findDropReason(chain, endpointState, now);
  if (reason !== null) return [dropAttempt(chain, reason)];
  return [begin === undefined ? { type: 'DeliveryChainPlanned', data } : startFirst(facts, begin, now)];
}

/** Returns whether nobody has planned an attempt of the chain, or all planned ones were dropped. */
function isUndelivered(chain: DeliveryChain): boolean {
  return chain.status === 'unknown' || (chain.status === 'missed' && chain.heldBy === null);
}

/** An endpoint that gets nothing now keeps its chain unplanned, so that a later job finds it. */
function backfill({ facts, endpointState, dueAt }: BackfillDeliveryChain): Decision {
  if (endpointState.status !== 'enabled') return [];
  return [{ type: 'DeliveryChainPlanned', data: { ...facts, dueAt, waits: true } }];
}

function startOrDrop(
  { endpointState, isCancelled = false, ...begin }: StartAttempt,
  chain: WaitingChain,
  now: string,
): Decision {
  const reason = isCancelled && chain.attempts === 0 ? 'cancelled' : findDropReason(chain, endpointState, now);
  if (reason !== null) return [dropAttempt(chain, reason)];
  if (chain.dueAt > now && !isDatedAhead(chain.since, now)) return [];
  return [startAutomatic(chain, begin, now)];
}

function dropRetries(chain: WaitingChain, endpointState: EndpointState, now: string): Decision {
  const reason = findDropReason(chain, endpointState, now);
  return reason === null ? [] : [dropAttempt(chain, reason)];
}

function isOpen(chain: DeliveryChain, attempt: number): chain is SendingChain {
  return chain.status === 'sending' && chain.open.attempt === attempt;
}

export const deliveryChainDecider: OwnedDecider<
  DeliveryChain,
  DeliveryChainCommand,
  DeliveryChainEvent,
  KnownDeliveryChain
> = {
  category: 'deliveryChain',
  versions: {
    DeliveryChainPlanned: 1,
    DeliveryChainMissed: 1,
    AttemptStarted: 2,
    AttemptSucceeded: 1,
    AttemptFailed: 2,
    AttemptLost: 1,
    DeliveryChainAbandoned: 1,
    DeliveryChainHeld: 1,
    DeliveryChainSkipped: 1,
    DeliveryChainReleased: 1,
  },
  initial: { status: 'unknown' },
  isKnown: (chain): chain is KnownDeliveryChain => chain.status !== 'unknown',
  ownerOf: ({ facts: { businessId: business, mode } }) => ({ business, mode }),
  evolve,
  decide,
};
