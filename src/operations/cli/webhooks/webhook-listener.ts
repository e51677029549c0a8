import { hash } from 'node:crypto';
import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { PersonalFields } from '../../../engine/encryption/personal-fields.js';
import { Secrets } from '../../../engine/encryption/secrets.js';
import { ProcessRegistry } from '../../../engine/process-registry.js';
import { Checkpoints } from '../../../kernel/checkpoints.js';
import { Clock } from '../../../kernel/clock.js';
import type { Mode, RecordedEvent } from '../../../kernel/event.js';
import { EventStore } from '../../../kernel/event-store.js';
import type { Position } from '../../../kernel/position.js';
import { Destinations } from '../../../webhooks/delivery/destinations.js';
import { decryptPayload } from '../../../webhooks/delivery/envelope.js';
import { Sender } from '../../../webhooks/delivery/sender.js';
import { generateSecret } from '../../../webhooks/delivery/signature.js';
import { isSubscribedTo } from '../../../webhooks/domain/event-types.js';
import { type PublicEvent, publicEventDecider, type PublicEventFact } from '../../../webhooks/domain/public-event.js';
import { requireBusinessId } from '../require-business.js';
import { EventForwarder, type ReportForward } from './event-forwarder.js';

/**
 * Id of the signing secret in the vault. A store has one secret for all receivers, so a receiver is configured once.
 */
const SECRET_ID = 'listening';
const PUBLIC_EVENTS = { prefixes: [`${publicEventDecider.category}-`] };
export interface ListenerOptions {
  readonly url: string;
  readonly eventTypes: readonly string[];
  /** Null: any business. */
  readonly business: string | null;
  readonly mode: Mode | null;
  /** Skips the events after the stop of an earlier listener. */
  readonly fromNow: boolean;
}

/** @throws CliError when there is no such business */
export async function createWebhookListener(
  service: INestApplicationContext,
  options: ListenerOptions,
): Promise<WebhookListener> {
  const get = <T>(type: Type<T> | Abstract<T>): T => service.get<T>(type, { strict: false });
  if (options.business !== null) await requireBusinessId(options.business, service);
  const secret = (await get(Secrets).store(SECRET_ID, generateSecret()))!;
  const dependencies = {
    events: get(EventStore),
    checkpoints: get(Checkpoints),
    processes: get(ProcessRegistry),
    sender: get(Sender),
    destinations: get(Destinations),
    personal: get(PersonalFields),
    clock: get(Clock),
  };
  return WebhookListener.start(options, secret, dependencies);
}

interface ListenerDependencies {
  readonly events: EventStore;
  readonly checkpoints: Checkpoints;
  readonly processes: ProcessRegistry;
  readonly sender: Sender;
  readonly destinations: Destinations;
  readonly personal: PersonalFields;
  readonly clock: Clock;
}

/**
 * Posts public events to one receiver, one after another, in the format of an endpoint. A checkpoint stores its
 * position.
 */
export class WebhookListener {
  private readonly forwarder: EventForwarder;

  private constructor(
    readonly options: ListenerOptions,
    readonly secret: string,
    /** An earlier listener for this receiver has a checkpoint. */
    readonly isResumed: boolean,
    private after: Position,
    private readonly dependencies: ListenerDependencies,
  ) {
    const { sender, destinations, clock } = dependencies;
    this.forwarder = new EventForwarder(options.url, secret, sender, destinations, clock);
  }

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

  /** Returns whether a service runs on the store: only a service records public events. */
  async hasService(): Promise<boolean> {
    return (await this.dependencies.processes.findActive()) !== null;
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

  private async forward(event: PublicEvent, report: ReportForward, signal: AbortSignal): Promise<boolean> {
    return this.forwarder.forward(await decryptPayload(event, this.dependencies.personal), report, signal);
  }

  private async saveCheckpoint(position = this.after): Promise<void> {
    this.after = position;
    if (position !== '')
      await this.dependencies.checkpoints.advanceCheckpoints({ [toCheckpointName(this.options)]: position });
  }
}

/** Returns the name of the checkpoint. It is the same for all selections of event types. */
function toCheckpointName({ url, business, mode }: ListenerOptions): string {
  return `listening:${hash('sha256', JSON.stringify([url, business, mode]), 'hex')}`;
}
