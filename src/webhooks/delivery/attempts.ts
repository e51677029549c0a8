import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Secrets } from '../../engine/encryption/secrets.js';
import type { Outcome } from '../../engine/streams/outcome.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, Random } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { EventOf } from '../../kernel/projection.js';
import { recordTraced, type TracedWork } from '../../kernel/tracing.js';
import { type AttemptResult, classifyResult } from '../domain/attempt-result.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type {
  Attempt,
  DeliveryChain,
  DeliveryChainEvent,
  DeliveryChainFacts,
  EndpointState,
  LoseAttempt,
  RecordAttemptResult,
} from '../domain/delivery-chain/facts.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import type { RetryPolicy } from '../domain/retry-schedule.js';
import { Captures } from './captures.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { type Destination, Destinations } from './destinations.js';
import { createEnvelope, decryptPayload, type Envelope, type EventPayload } from './envelope.js';
import { PublicEventCache } from './public-event-cache.js';
import { Sender, type SendResult } from './sender.js';

/** Added to the timeout of the send: for reading the endpoint before it, and for recording its result. */
const LEASE_MARGIN_MS = 5_000;
/** An HTTP request waits for the result of a replay or a test. */
const MAX_SYNCHRONOUS_SEND_MS = 10_000;
const SECRET_READ_TRIES = 3;

/** Carries out attempts whose start is recorded. */
@Injectable()
export class Attempts {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly streams: Streams,
    private readonly events: PublicEventCache,
    private readonly secrets: Secrets,
    private readonly personalFields: PersonalFields,
    private readonly sender: Sender,
    private readonly destinations: Destinations,
    private readonly circuitBreakers: CircuitBreakers,
    private readonly captures: Captures,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Returns the time after which an attempt without a recorded result counts as lost. */
  leaseMsFor(kind: Attempt['kind']): number {
    return this.timeoutMsFor(kind) + LEASE_MARGIN_MS;
  }

  /** Draws the jitter again at each call. */
  drawRetryPolicy(): RetryPolicy {
    return { schedule: this.config.webhooks.retrySchedule, jitter: this.random.next() };
  }

  /**
   * Sends once and records the result. `destination`: null when the caller expected that nothing would be sent.
   */
  async carryOut(
    { chainId, eventId, eventType, endpointId }: DeliveryChainFacts,
    attempt: Attempt,
    context: Context,
    destination: Destination | null,
    payload?: EventPayload,
  ): Promise<Outcome<DeliveryChain>> {
    passCrashPoint('after-attempt-started-before-send');
    const began = this.clock.monotonic();
    const result = await this.trySend(endpointId, attempt, destination, () => payload ?? this.events.get(eventId));
    recordTraced(() => [describeAttempt(eventType, attempt, result, context)], this.clock.monotonic() - began);
    passCrashPoint('after-response-before-attempt-recorded');
    const endpointState = await this.findEndpointStateAfter(result, endpointId);
    const command = {
      type: 'RecordAttemptResult',
      attempt: attempt.attempt,
      result,
      endpointState,
      retries: this.drawRetryPolicy(),
    } as const;
    return this.recordEnd(chainId, command, createChildContext(context, 'answer', attempt.attempt));
  }

  /**
   * Records the end of an attempt. An endpoint that was disabled just before this record had no retry to drop yet, so
   * the retry is dropped here.
   */
  async recordEnd(
    chainId: string,
    command: RecordAttemptResult | LoseAttempt,
    context: Context,
  ): Promise<Outcome<DeliveryChain>> {
    const outcome = await this.streams.execute(deliveryChainDecider, chainId, command, context);
    this.logFailure(outcome.recorded);
    if (outcome.state.status !== 'unknown')
      this.circuitBreakers.record(outcome.state.facts.endpointId, outcome.recorded);
    if (outcome.state.status !== 'waiting') return outcome;
    const endpointState = toEndpointState(
      await this.streams.loadState(endpointDecider, outcome.state.facts.endpointId),
    );
    return this.streams.execute(
      deliveryChainDecider,
      chainId,
      { type: 'DropRetries', endpointState },
      createChildContext(context, 'drop'),
    );
  }

  /** Logs one line for each failed attempt, without any text that a receiver or a customer has written. */
  private logFailure(recorded: readonly RecordedEvent[]): void {
    const end = recorded.find(isFailedAttempt);
    if (end === undefined) return;
    const { deliveryId, endpointId, businessId, eventType, attempt, test, nextAttemptAt } = end.data;
    const { reason } = end.type === 'AttemptFailed' ? end.data : { reason: 'lost' };
    const { responseStatus, errorCode } =
      end.type === 'AttemptFailed' ? end.data : { responseStatus: null, errorCode: null };
    const details = {
      deliveryId,
      endpointId,
      businessId,
      eventType,
      attempt,
      test,
      reason,
      responseStatus,
      errorCode,
      nextAttemptAt,
    };
    this.logger.log(details, 'attempt_failed');
  }

  /**
   * Turns an error of this service into a failed attempt, so that the delivery chain continues by its schedule. Only an
   * unavailable store is thrown, since the caller tries again.
   */
  private async trySend(
    endpointId: string,
    attempt: Attempt,
    destination: Destination | null,
    getPayload: () => EventPayload | Promise<EventPayload>,
  ): Promise<AttemptResult> {
    try {
      return await this.send(endpointId, attempt, destination, await getPayload());
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.logger.error({ err: error, deliveryId: attempt.deliveryId }, 'service_failure');
      return { failure: 'service_failure', durationMs: null };
    }
  }

  private async send(
    endpointId: string,
    attempt: Attempt,
    destination: Destination | null,
    payload: EventPayload,
  ): Promise<AttemptResult> {
    const readable = await decryptPayload(payload, this.personalFields);
    const receiver = await this.findReceiver(endpointId);
    if (receiver === null) return { failure: 'endpoint_deleted', durationMs: null };
    const envelope = createEnvelope(readable, attempt, receiver.secret, this.clock.now());
    if (envelope === null) return { failure: 'envelope_too_large', durationMs: null };
    const { received, ...result } = await this.post(receiver.url, destination, envelope, attempt);
    const capture = { signatures: envelope.signatures, received: received ?? null };
    if (result.durationMs !== null) await this.captures.save({ ...attempt, endpointId }, capture);
    return result;
  }

  /** A URL that changed between the wait for its host and the start of the attempt gets a slot of its new host. */
  private async post(
    url: string,
    destination: Destination | null,
    envelope: Envelope,
    { kind }: Attempt,
  ): Promise<SendResult> {
    const options = { timeoutMs: this.timeoutMsFor(kind), isNewConnection: isSynchronous(kind) };
    if (destination?.url === url) return this.sender.post(destination, envelope, options);
    const changed = await this.destinations.acquireExtra(url);
    return this.sender.post(changed, envelope, options).finally(changed.release);
  }

  /**
   * Reads the endpoint's stream after the start is recorded, and then the secret that it names, so that an attempt that
   * starts after a rotation is signed with the new secret. If the secret is missing, a rotation came between the two
   * reads.
   */
  private async findReceiver(endpointId: string): Promise<{ url: string; secret: string } | null> {
    for (let tries = 1; tries <= SECRET_READ_TRIES; tries++) {
      const found = await this.streams.loadState(endpointDecider, endpointId);
      if (found.status !== 'enabled' && found.status !== 'disabled') return null;
      const secret = await this.secrets.read(found.secretId);
      if (secret !== null) return { url: found.settings.url, secret };
    }
    throw new Error(`${endpointId}: its secret is missing`);
  }

  /** Reads the endpoint only for a retryable result: only then does its current state decide anything. */
  private async findEndpointStateAfter(result: AttemptResult, endpointId: string): Promise<EndpointState | null> {
    if (classifyResult(result).outcome !== 'retryable') return null;
    return toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
  }

  private timeoutMsFor(kind: Attempt['kind']): number {
    const { timeoutMs } = this.config.webhooks;
    return isSynchronous(kind) ? Math.min(timeoutMs, MAX_SYNCHRONOUS_SEND_MS) : timeoutMs;
  }
}

/** Returns whether an HTTP request waits for the result. Nothing repeats such an attempt. */
function isSynchronous(kind: Attempt['kind']): boolean {
  return kind === 'replay' || kind === 'test';
}

/** Neither the URL nor a text of the receiver is traced: both may contain a secret. */
function describeAttempt(eventType: string, { attempt }: Attempt, result: AttemptResult, context: Context): TracedWork {
  const { correlationId, commandId: causationId } = context;
  const response: TracedWork['attributes'] =
    'failure' in result ? {} : { 'http.response.status_code': result.responseStatus };
  const attributes = { attempt, outcome: classifyResult(result).outcome, ...response };
  return { name: `deliver ${eventType}`, kind: 'client', correlationId, causationId, attributes };
}

type FailedAttempt = EventOf<DeliveryChainEvent, 'AttemptFailed'> & { readonly type: 'AttemptFailed' };
type LostAttempt = EventOf<DeliveryChainEvent, 'AttemptLost'> & { readonly type: 'AttemptLost' };

function isFailedAttempt(event: RecordedEvent): event is FailedAttempt | LostAttempt {
  return event.type === 'AttemptFailed' || event.type === 'AttemptLost';
}
