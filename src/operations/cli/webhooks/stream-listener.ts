import { createHmac } from 'node:crypto';
import type { Config } from '../../../config/config.js';
import { type Clock, SystemClock } from '../../../kernel/clock.js';
import type { Mode } from '../../../kernel/event.js';
import { AddressPolicy } from '../../../webhooks/delivery/address-policy.js';
import { Destinations } from '../../../webhooks/delivery/destinations.js';
import type { toContent } from '../../../webhooks/delivery/envelope.js';
import { HostLimiter } from '../../../webhooks/delivery/host-limiter.js';
import { NameResolver } from '../../../webhooks/delivery/name-resolver.js';
import { Sender } from '../../../webhooks/delivery/sender.js';
import { EVERY_TYPE } from '../../../webhooks/domain/event-types.js';
import { EventForwarder, INITIAL_WAIT_MS, MAX_WAIT_MS, type ReportForward } from './event-forwarder.js';
import { RemoteService, type StreamObserver } from './remote-service.js';

export interface StreamListenerOptions {
  /** The receiver. */
  readonly url: string;
  readonly eventTypes: readonly string[];
  /** Base URL of the service. */
  readonly serviceUrl: string;
  readonly key: string;
  /** The id of an event, or `start`. Null: only events from now on. */
  readonly after: string | null;
}

/** A public event as the stream sends it. */
type StreamedEvent = ReturnType<typeof toContent>;

/**
 * Posts the public events of a remote service to one receiver. It reads the event stream with an API key, and needs no
 * store.
 */
export class StreamListener {
  private constructor(
    readonly options: StreamListenerOptions,
    readonly secret: string,
    readonly business: string,
    readonly mode: Mode,
    private readonly service: RemoteService,
    private after: string,
    private readonly forwarder: EventForwarder,
    private readonly clock: Clock,
  ) {}

  /** @throws CliError when the service cannot be reached or rejects the key */
  static async start(options: StreamListenerOptions, config: Pick<Config, 'webhooks'>): Promise<StreamListener> {
    const clock = new SystemClock();
    const service = new RemoteService(options.serviceUrl, options.key);
    const { business, mode } = await service.readCaller();
    // Without an event so far, every event is one from now on, also one that is published during an interruption.
    const after = options.after ?? (await service.findLastEventId()) ?? 'start';
    const secret = deriveSecret(options.key);
    const forwarder = createForwarder(options.url, secret, config, clock);
    return new StreamListener(options, secret, business, mode, service, after, forwarder, clock);
  }

  /**
   * Runs until the signal aborts. It connects again after an interruption, and continues after the last settled event.
   *
   * @param note called with a sentence when the service goes away, and when it comes back
   */
  async run(report: ReportForward, note: (sentence: string) => void, signal: AbortSignal): Promise<void> {
    const observer = this.createObserver(note, signal);
    for (let waitMs = INITIAL_WAIT_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      for await (const data of this.service.readStream(this.toQuery(), observer, signal)) {
        waitMs = INITIAL_WAIT_MS;
        if (!(await this.forward(JSON.parse(data) as StreamedEvent, report, signal))) return;
      }
      await this.clock.sleep(waitMs, signal);
    }
  }

  /** Notes each change once, however often the listener tries to connect. */
  private createObserver(note: (sentence: string) => void, signal: AbortSignal): StreamObserver {
    const { serviceUrl } = this.options;
    let isLost = false;
    return {
      opened: () => {
        if (isLost) note(`${serviceUrl} can be reached again; listening`);
        isLost = false;
      },
      lost: (reason) => {
        if (!isLost && !signal.aborted) note(`the connection to ${serviceUrl} is lost (${reason}); trying again`);
        isLost = true;
      },
    };
  }

  private async forward(event: StreamedEvent, report: ReportForward, signal: AbortSignal): Promise<boolean> {
    const { id: eventId, type, version, occurred_at: occurredAt, sequence, data, changes } = event;
    const owner = { businessId: this.business, mode: this.mode };
    const facts = { eventId, type, version, occurredAt, sequence, ...owner, data, changes };
    if (!(await this.forwarder.forward(facts, report, signal))) return false;
    this.after = eventId;
    return true;
  }

  private toQuery(): URLSearchParams {
    const types = this.options.eventTypes.filter((type) => type !== EVERY_TYPE);
    return new URLSearchParams([['after', this.after], ...types.map((type): [string, string] => ['event_type', type])]);
  }
}

/** Derives the signing secret from the key, so that a receiver is configured once for each key. */
function deriveSecret(key: string): string {
  return `whsec_${createHmac('sha256', key).update('webhooks listen').digest('base64')}`;
}

/** Creates a forwarder without a store. It reads only the settings of webhooks. */
function createForwarder(
  url: string,
  secret: string,
  settings: Pick<Config, 'webhooks'>,
  clock: Clock,
): EventForwarder {
  const config = settings as Config;
  const policy = new AddressPolicy(config, new NameResolver(config, clock));
  const destinations = new Destinations(policy, new HostLimiter(config, clock), clock, config);
  return new EventForwarder(url, secret, new Sender(config, clock), destinations, clock);
}
