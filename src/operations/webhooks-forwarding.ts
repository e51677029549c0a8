import { hash } from 'node:crypto';
import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { Personal } from '../engine/sealing/personal.js';
import { Secrets } from '../engine/sealing/secrets.js';
import { Ownership } from '../identity/ownership.js';
import { Clock, iso } from '../kernel/clock.js';
import type { Mode, Recorded } from '../kernel/event.js';
import { EventStore } from '../kernel/event-store.js';
import type { Position } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';
import { verdictOn, type Answer, type FailureReason } from '../webhooks/domain/answer.js';
import { chainIdOf, deliveryIdOf } from '../webhooks/domain/delivery-id.js';
import { subscribes } from '../webhooks/domain/event-types.js';
import { publicEvent, type PublicEvent, type PublicEventFact } from '../webhooks/domain/public-event.js';
import { envelopeOf } from '../webhooks/sending/envelope.js';
import { Sender } from '../webhooks/sending/sender.js';
import { newSecret } from '../webhooks/sending/signature.js';
import { CannotDo } from './toolbox.js';

/**
 * Id of the signing secret in the vault. A store has one secret for all receivers, so a receiver is configured once.
 */
const SECRET_ID = 'listening';
const PUBLIC_EVENTS = { prefixes: [`${publicEvent.category}-`] };
/** Maximum number of responses other than 2xx and 4xx. Without a response the event is sent again without a limit. */
const MOST_ANSWERS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
const PATIENCE_MS = 15_000;

export interface Wish {
  readonly url: string;
  readonly eventTypes: readonly string[];
  /** Null: any business. */
  readonly business: string | null;
  readonly mode: Mode | null;
  /** Skips the events after the stop of an earlier listener. */
  readonly fromNow: boolean;
}

/** The outcome of one attempt. */
export interface Forwarded {
  readonly at: string;
  readonly id: string;
  readonly type: string;
  readonly business: string;
  readonly mode: Mode;
  readonly attempt: number;
  /** `abandoned`: the event reached the maximum number of responses and is not sent again. */
  readonly status: 'success' | 'failed' | 'abandoned';
  readonly response_status: number | null;
  readonly reason: FailureReason | null;
  readonly duration_ms: number | null;
  /** Null when the event is not sent again. */
  readonly repeated_in_ms: number | null;
}

type Tell = (forwarded: Forwarded) => void;

/** @throws CannotDo when there is no such business */
export async function forwardingOf(service: INestApplicationContext, wish: Wish): Promise<Forwarding> {
  const get = <T>(type: Type<T> | Abstract<T>): T => service.get<T>(type, { strict: false });
  if (wish.business !== null && (await get(Ownership).ownerOf(wish.business)) === null)
    throw new CannotDo(`there is no business ${wish.business}`);
  const secret = (await get(Secrets).keep(SECRET_ID, newSecret()))!;
  const tools = { events: get(EventStore), models: get(ReadModels), sender: get(Sender), personal: get(Personal), clock: get(Clock) };
  return Forwarding.begin(wish, secret, tools);
}

interface Tools {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly sender: Sender;
  readonly personal: Personal;
  readonly clock: Clock;
}

/**
 * Posts public events to one receiver, one after another, in the format of an endpoint. A checkpoint stores its
 * position.
 */
export class Forwarding {
  private constructor(
    readonly wish: Wish,
    readonly secret: string,
    /** An earlier listener for this receiver has a checkpoint. */
    readonly goesOn: boolean,
    private after: Position,
    private readonly tools: Tools,
  ) {}

  static async begin(wish: Wish, secret: string, tools: Tools): Promise<Forwarding> {
    const kept = await tools.models.checkpoint(nameOf(wish));
    const goesOn = kept !== '' && !wish.fromNow;
    const forwarding = new Forwarding(wish, secret, goesOn, goesOn ? kept : await tools.events.head(), tools);
    if (!goesOn) await forwarding.keep();
    return forwarding;
  }

  /**
   * Runs until the signal aborts. A request in flight is finished; the next listener sends an unsettled event again.
   */
  async run(tell: Tell, signal: AbortSignal): Promise<void> {
    for await (const { events, next } of this.tools.events.follow({ after: this.after, filter: PUBLIC_EVENTS }, signal)) {
      for (const event of events.filter((one) => this.isWanted(one))) {
        if (!(await this.forward(event.data as PublicEvent, tell, signal))) return;
        await this.keep(event.position);
      }
      if (events.length > 0) await this.keep(next);
    }
  }

  private isWanted({ type, data }: Recorded): boolean {
    if (type !== ('PublicEventRecorded' satisfies PublicEventFact['type'])) return false;
    const { eventTypes, business, mode } = this.wish;
    const event = data as PublicEvent;
    return subscribes(eventTypes, event.type) && (business ?? event.businessId) === event.businessId && (mode ?? event.mode) === event.mode;
  }

  /** Sends an event until it is settled: accepted, refused or abandoned. Returns false when the signal aborts first. */
  private async forward(event: PublicEvent, tell: Tell, signal: AbortSignal): Promise<boolean> {
    let [attempt, waitMs] = [1, FIRST_WAIT_MS];
    while (!signal.aborted) {
      const answer = await this.answerTo(event, attempt);
      const told = this.told(event, attempt, answer, waitMs);
      tell(told);
      if (told.repeated_in_ms === null) return true;
      await this.tools.clock.sleep(waitMs, signal);
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      if (isAnswered(answer)) attempt++;
    }
    return false;
  }

  private async answerTo(event: PublicEvent, attempt: number): Promise<Answer> {
    const { sender, personal, clock } = this.tools;
    const chainId = chainIdOf(event.occurredAt, event.eventId, this.wish.url);
    const sent = { deliveryId: deliveryIdOf(chainId, attempt), attempt, startedAt: iso(clock.now()) };
    const telling = { ...event, test: false, data: await personal.open(event.data) };
    const envelope = envelopeOf(telling, sent, this.secret, clock.now());
    if (envelope === null) return { failure: 'envelope_too_large', durationMs: null };
    return sender.post(this.wish.url, envelope, PATIENCE_MS);
  }

  private told({ eventId: id, type, businessId: business, mode }: PublicEvent, attempt: number, answer: Answer, waitMs: number): Forwarded {
    const verdict = verdictOn(answer);
    const status = statusOf(verdict.outcome, isAnswered(answer) && attempt === MOST_ANSWERS);
    const isRepeated = verdict.outcome === 'retryable' && status !== 'abandoned';
    return {
      at: iso(this.tools.clock.now()),
      ...{ id, type, business, mode, attempt },
      status,
      response_status: 'failure' in answer ? null : answer.responseStatus,
      reason: 'reason' in verdict ? verdict.reason : null,
      duration_ms: answer.durationMs,
      repeated_in_ms: isRepeated ? waitMs : null,
    };
  }

  private async keep(position = this.after): Promise<void> {
    this.after = position;
    if (position !== '') await this.tools.models.advance({ [nameOf(this.wish)]: position });
  }
}

function statusOf(outcome: ReturnType<typeof verdictOn>['outcome'], isLast: boolean): Forwarded['status'] {
  if (outcome === 'success') return 'success';
  return outcome === 'retryable' && isLast ? 'abandoned' : 'failed';
}

/** Returns whether the receiver responded. Only an attempt with a response counts. */
function isAnswered(answer: Answer): boolean {
  return !('failure' in answer);
}

/** Returns the name of the checkpoint. It is the same for all selections of event types. */
function nameOf({ url, business, mode }: Wish): string {
  return `listening:${hash('sha256', JSON.stringify([url, business, mode]), 'hex')}`;
}
