import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config.js';
import { Personal } from '../../engine/sealing/personal.js';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams, type Outcome } from '../../engine/streams/streams.js';
import { Clock, Random } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { crashPoint } from '../../kernel/crash-points.js';
import type { Recorded } from '../../kernel/event.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { EventOf } from '../../kernel/projection.js';
import { verdictOn, type Answer } from '../domain/answer.js';
import { chain, type Attempt, type Chain, type ChainEvent, type ChainFacts, type LoseAttempt, type RecordAnswer } from '../domain/chain.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import type { Retries } from '../domain/schedule.js';
import type { Target } from '../domain/target.js';
import { Breakers } from './breakers.js';
import { Captures } from './captures.js';
import { envelopeOf, type Telling } from './envelope.js';
import { PublicEvents } from './public-events.js';
import { Sender } from './sender.js';
import { Slots } from './slots.js';

/** Added to the timeout of the send: for reading the endpoint before it, and for recording its result. */
const LEASE_MARGIN_MS = 5_000;
/** An HTTP request waits for the result of a replay or a test. */
const LONGEST_WATCHED_SEND_MS = 10_000;
const LOOKS_FOR_A_SECRET = 3;

/** Carries out attempts whose start is recorded. */
@Injectable()
export class Attempts {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly streams: Streams,
    private readonly events: PublicEvents,
    private readonly secrets: Secrets,
    private readonly personal: Personal,
    private readonly sender: Sender,
    private readonly slots: Slots,
    private readonly breakers: Breakers,
    private readonly captures: Captures,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Returns the time after which an attempt without a recorded result counts as lost. */
  leaseMs(kind: Attempt['kind']): number {
    return this.timeoutMs(kind) + LEASE_MARGIN_MS;
  }

  /** Draws the jitter again at each call. */
  retries(): Retries {
    return { schedule: this.config.webhooks.retrySchedule, jitter: this.random.next() };
  }

  /** Sends once and records the result. */
  async carryOut(
    { chainId, eventId, endpointId }: ChainFacts,
    attempt: Attempt,
    context: Context,
    telling?: Telling,
  ): Promise<Outcome<Chain>> {
    crashPoint('after-attempt-started-before-send');
    const answer = await this.answerTo(endpointId, attempt, () => telling ?? this.events.get(eventId));
    crashPoint('after-response-before-attempt-recorded');
    const target = await this.targetAfter(answer, endpointId);
    const command = { type: 'RecordAnswer', attempt: attempt.attempt, answer, target, retries: this.retries() } as const;
    return this.end(chainId, command, step(context, 'answer', attempt.attempt));
  }

  /**
   * Records the end of an attempt. An endpoint that was disabled just before this record had no retry to drop yet, so
   * the retry is dropped here.
   */
  async end(chainId: string, command: RecordAnswer | LoseAttempt, context: Context): Promise<Outcome<Chain>> {
    const ended = await this.streams.execute(chain, chainId, command, context);
    this.logFailure(ended.recorded);
    if (ended.state.status !== 'unknown') this.breakers.saw(ended.state.facts.endpointId, ended.recorded);
    if (ended.state.status !== 'waiting') return ended;
    const target = targetOf(await this.streams.state(endpoint, ended.state.facts.endpointId));
    return this.streams.execute(chain, chainId, { type: 'DropRetries', target }, step(context, 'drop'));
  }

  /** Logs one line for each failed attempt, without any text that a receiver or a customer has written. */
  private logFailure(recorded: readonly Recorded[]): void {
    const end = recorded.find(isFailedAttempt);
    if (end === undefined) return;
    const { deliveryId, endpointId, businessId, eventType, attempt, test, nextAttemptAt } = end.data;
    const { reason } = end.type === 'AttemptFailed' ? end.data : { reason: 'lost' };
    const { responseStatus, errorCode } = end.type === 'AttemptFailed' ? end.data : { responseStatus: null, errorCode: null };
    const about = { deliveryId, endpointId, businessId, eventType, attempt, test, reason, responseStatus, errorCode, nextAttemptAt };
    this.logger.log(about, 'attempt_failed');
  }

  /**
   * Turns an error of this service into a failed attempt, so that the delivery chain continues by its schedule. Only an
   * unavailable store is thrown, since the caller tries again.
   */
  private async answerTo(endpointId: string, attempt: Attempt, telling: () => Telling | Promise<Telling>): Promise<Answer> {
    try {
      return await this.send(endpointId, attempt, await telling());
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.logger.error({ err: error, deliveryId: attempt.deliveryId }, 'service_failure');
      return { failure: 'service_failure', durationMs: null };
    }
  }

  private async send(endpointId: string, attempt: Attempt, telling: Telling): Promise<Answer> {
    const data = await this.personal.open(telling.data);
    const receiver = await this.receiverOf(endpointId);
    if (receiver === null) return { failure: 'endpoint_deleted', durationMs: null };
    const envelope = envelopeOf({ ...telling, data }, attempt, receiver.secret, this.clock.now());
    if (envelope === null) return { failure: 'envelope_too_large', durationMs: null };
    const { received, ...answer } = await this.sender.post(receiver.url, envelope, this.timeoutMs(attempt.kind));
    const capture = { signatures: envelope.signatures, received: received ?? null };
    if (answer.durationMs !== null) await this.captures.keep({ ...attempt, endpointId }, capture);
    return answer;
  }

  /**
   * Reads the endpoint's stream after the start is recorded, and then the secret that it names, so that an attempt that
   * starts after a rotation is signed with the new secret. If the secret is missing, a rotation came between the two
   * reads.
   */
  private async receiverOf(endpointId: string): Promise<{ url: string; secret: string } | null> {
    for (let looks = 1; looks <= LOOKS_FOR_A_SECRET; looks++) {
      const found = await this.streams.state(endpoint, endpointId);
      if (found.status !== 'enabled' && found.status !== 'disabled') return null;
      this.slots.limitRate(endpointId, found.settings.rateLimitPerSecond);
      const secret = await this.secrets.read(found.secretId);
      if (secret !== null) return { url: found.settings.url, secret };
    }
    throw new Error(`${endpointId}: its secret is missing`);
  }

  /** Reads the endpoint only for a retryable result: only then does its current state decide anything. */
  private async targetAfter(answer: Answer, endpointId: string): Promise<Target | null> {
    if (verdictOn(answer).outcome !== 'retryable') return null;
    return targetOf(await this.streams.state(endpoint, endpointId));
  }

  private timeoutMs(kind: Attempt['kind']): number {
    const { timeoutMs } = this.config.webhooks;
    return kind === 'replay' || kind === 'test' ? Math.min(timeoutMs, LONGEST_WATCHED_SEND_MS) : timeoutMs;
  }
}

type FailedAttempt = EventOf<ChainEvent, 'AttemptFailed'> & { readonly type: 'AttemptFailed' };
type LostAttempt = EventOf<ChainEvent, 'AttemptLost'> & { readonly type: 'AttemptLost' };

function isFailedAttempt(event: Recorded): event is FailedAttempt | LostAttempt {
  return event.type === 'AttemptFailed' || event.type === 'AttemptLost';
}
