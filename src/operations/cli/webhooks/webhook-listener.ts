import { hash } from 'node:crypto';
import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { PersonalFields } from '../../../engine/encryption/personal-fields.js';
import { Secrets } from '../../../engine/encryption/secrets.js';
import { BusinessOwnership } from '../../../identity/business-ownership.js';
import { Checkpoints } from '../../../kernel/checkpoints.js';
import { Clock, toIso } from '../../../kernel/clock.js';
import type { Mode, RecordedEvent } from '../../../kernel/event.js';
import { EventStore } from '../../../kernel/event-store.js';
import type { Position } from '../../../kernel/position.js';
import { createEnvelope } from '../../../webhooks/delivery/envelope.js';
import { Sender } from '../../../webhooks/delivery/sender.js';
import { generateSecret } from '../../../webhooks/delivery/signature.js';
import { type AttemptResult, classifyResult, type FailureReason } from '../../../webhooks/domain/attempt-result.js';
import { chainIdOf, deliveryIdOf } from '../../../webhooks/domain/delivery-id.js';
import { isSubscribedTo } from '../../../webhooks/domain/event-types.js';
import { type PublicEvent, publicEventDecider, type PublicEventFact } from '../../../webhooks/domain/public-event.js';
import { CliError } from '../cli.js';

/**
 * Id of the signing secret in the vault. A store has one secret for all receivers, so a receiver is configured once.
 */
const SECRET_ID = 'listening';
const PUBLIC_EVENTS = { prefixes: [`${publicEventDecider.category}-`] };
/** Maximum number of responses other than 2xx and 4xx. Without a response the event is sent again without a limit. */
const MAX_RESPONSES = 5;
const INITIAL_WAIT_MS = 500;
const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 15_000;

export interface ListenerOptions {
  readonly url: string;
  readonly eventTypes: readonly string[];
  /** Null: any business. */
  readonly business: string | null;
  readonly mode: Mode | null;
  /** Skips the events after the stop of an earlier listener. */
  readonly fromNow: boolean;
}

/** The outcome of one attempt. */
export interface ForwardResult {
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

type ReportForward = (forwarded: ForwardResult) => void;

/** @throws CliError when there is no such business */
export async function createWebhookListener(
  service: INestApplicationContext,
  options: ListenerOptions,
): Promise<WebhookListener> {
  const get = <T>(type: Type<T> | Abstract<T>): T => service.get<T>(type, { strict: false });
  if (options.business !== null && (await get(BusinessOwnership).findOwner(options.business)) === null)
    throw new CliError(`there is no business ${options.business}`);
  const secret = (await get(Secrets).store(SECRET_ID, generateSecret()))!;
  const dependencies = {
    events: get(EventStore),
    checkpoints: get(Checkpoints),
    sender: get(Sender),
    personal: get(PersonalFields),
    clock: get(Clock),
  };
  return WebhookListener.start(options, secret, dependencies);
}

interface ListenerDependencies {
  readonly events: EventStore;
  readonly checkpoints: Checkpoints;
  readonly sender: Sender;
  readonly personal: PersonalFields;
  readonly clock: Clock;
}

/**
 * Posts public events to one receiver, one after another, in the format of an endpoint. A checkpoint stores its
 * position.
 */
export class WebhookListener {
  private constructor(
    readonly options: ListenerOptions,
    readonly secret: string,
    /** An earlier listener for this receiver has a checkpoint. */
    readonly isResumed: boolean,
    private after: Position,
    private readonly dependencies: ListenerDependencies,
  ) {}

  static async start(
    options: ListenerOptions,
    secret: string,
    dependencies: ListenerDependencies,
  ): Promise<WebhookListener> {
    const checkpoint = await dependencies.checkpoints.readCheckpoint(toCheckpointName(options));
    const isResumed = checkpoint !== '' && !options.fromNow;
    const listener = new WebhookListener(
      options,
      secret,
      isResumed,
      isResumed ? checkpoint : await dependencies.events.readHead(),
      dependencies,
    );
    if (!isResumed) await listener.saveCheckpoint();
    return listener;
  }

  /**
   * Runs until the signal aborts. A request in flight is finished; the next listener sends an unsettled event again.
   */
  async run(report: ReportForward, signal: AbortSignal): Promise<void> {
    for await (const { events, next } of this.dependencies.events.follow(
      { after: this.after, filter: PUBLIC_EVENTS },
      signal,
    )) {
      for (const event of events.filter((one) => this.isWanted(one))) {
        if (!(await this.forward(event.data as PublicEvent, report, signal))) return;
        await this.saveCheckpoint(event.position);
      }
      if (events.length > 0) await this.saveCheckpoint(next);
    }
  }

  private isWanted({ type, data }: RecordedEvent): boolean {
    if (type !== ('PublicEventRecorded' satisfies PublicEventFact['type'])) return false;
    const { eventTypes, business, mode } = this.options;
    const event = data as PublicEvent;
    return (
      isSubscribedTo(eventTypes, event.type) &&
      (business ?? event.businessId) === event.businessId &&
      (mode ?? event.mode) === event.mode
    );
  }

  /** Sends an event until it is settled: accepted, refused or abandoned. Returns false when the signal aborts first. */
  private async forward(event: PublicEvent, report: ReportForward, signal: AbortSignal): Promise<boolean> {
    let [attempt, waitMs] = [1, INITIAL_WAIT_MS];
    while (!signal.aborted) {
      const response = await this.post(event, attempt);
      const result = this.toResult(event, attempt, response, waitMs);
      report(result);
      if (result.repeated_in_ms === null) return true;
      await this.dependencies.clock.sleep(waitMs, signal);
      waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      if (hasResponse(response)) attempt++;
    }
    return false;
  }

  private async post(event: PublicEvent, attempt: number): Promise<AttemptResult> {
    const { sender, personal, clock } = this.dependencies;
    const chainId = chainIdOf(event.occurredAt, event.eventId, this.options.url);
    const attemptStart = { deliveryId: deliveryIdOf(chainId, attempt), attempt, startedAt: toIso(clock.now()) };
    const payload = { ...event, test: false, data: await personal.open(event.data) };
    const envelope = createEnvelope(payload, attemptStart, this.secret, clock.now());
    if (envelope === null) return { failure: 'envelope_too_large', durationMs: null };
    return sender.post(this.options.url, envelope, TIMEOUT_MS);
  }

  private toResult(
    { eventId: id, type, businessId: business, mode }: PublicEvent,
    attempt: number,
    response: AttemptResult,
    waitMs: number,
  ): ForwardResult {
    const verdict = classifyResult(response);
    const status = toStatus(verdict.outcome, hasResponse(response) && attempt === MAX_RESPONSES);
    const isRetried = verdict.outcome === 'retryable' && status !== 'abandoned';
    return {
      at: toIso(this.dependencies.clock.now()),
      ...{ id, type, business, mode, attempt },
      status,
      response_status: 'failure' in response ? null : response.responseStatus,
      reason: 'reason' in verdict ? verdict.reason : null,
      duration_ms: response.durationMs,
      repeated_in_ms: isRetried ? waitMs : null,
    };
  }

  private async saveCheckpoint(position = this.after): Promise<void> {
    this.after = position;
    if (position !== '')
      await this.dependencies.checkpoints.advanceCheckpoints({ [toCheckpointName(this.options)]: position });
  }
}

function toStatus(outcome: ReturnType<typeof classifyResult>['outcome'], isLast: boolean): ForwardResult['status'] {
  if (outcome === 'success') return 'success';
  return outcome === 'retryable' && isLast ? 'abandoned' : 'failed';
}

/** Returns whether the receiver responded. Only an attempt with a response counts. */
function hasResponse(response: AttemptResult): boolean {
  return !('failure' in response);
}

/** Returns the name of the checkpoint. It is the same for all selections of event types. */
function toCheckpointName({ url, business, mode }: ListenerOptions): string {
  return `listening:${hash('sha256', JSON.stringify([url, business, mode]), 'hex')}`;
}
