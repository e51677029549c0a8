import type { Destination } from '../../src/webhooks/delivery/destinations.js';
import type { Envelope } from '../../src/webhooks/delivery/envelope.js';
import type { Sender, SendOptions } from '../../src/webhooks/delivery/sender.js';
import type { AttemptResult } from '../../src/webhooks/domain/attempt-result.js';
import type { ReceivedRequest } from '../support/receiver.js';
import type { ProcessLifecycle } from './process-lifecycle.js';
import { START_TIME } from './process-lifecycle.js';
import type { SimulationRandom } from './seeded-random.js';
import type { Timeline } from './timeline.js';
import type { RunTrace } from './trace.js';

type ReceiverBehaviour = 'accepts' | 'fails' | 'refuses' | 'hangs' | 'resets' | 'is unavailable';

const STATUS = { accepts: 200, fails: 503, refuses: 410 } as const;
const BEHAVIOURS: readonly ReceiverBehaviour[] = [
  'accepts',
  'accepts',
  'accepts',
  'fails',
  'refuses',
  'hangs',
  'resets',
  'is unavailable',
];
const STEADY_PROBABILITY = 0.6;

/** The response of a receiver, and its delay. */
interface Reaction {
  readonly answer: AttemptResult | 'none';
  readonly afterMs: number;
}

/** The webhook receivers: they store each request and respond at random. */
export class Receivers {
  readonly requests: ReceivedRequest[] = [];
  private readonly behaviours = new Map<string, ReceiverBehaviour>();
  private acceptsAll = false;

  constructor(
    readonly timeline: Timeline,
    private readonly random: SimulationRandom,
    private readonly trace: RunTrace,
  ) {}

  /** Lets every receiver accept all requests from this moment. */
  acceptAll(): void {
    this.acceptsAll = true;
  }

  /** Delivers a request to the receiver of a URL, unless the receiver is unavailable. */
  deliver(url: string, { body, headers }: Envelope): Reaction {
    const mood = this.drawBehaviour(url);
    this.trace.log(`${url} ${mood} ${headers['X-Service-Delivery-Id']}`);
    if (mood === 'is unavailable') return { answer: { failure: 'connection_refused', durationMs: null }, afterMs: 0 };
    this.requests.push(toReceivedRequest(url, body, headers, START_TIME + this.timeline.now));
    return { answer: toReaction(mood), afterMs: this.random.between(0, this.random.chance(0.1) ? 1_500 : 20) };
  }

  /** Returns the receiver's current behaviour, which mostly stays the same for a while. */
  private drawBehaviour(url: string): ReceiverBehaviour {
    if (this.acceptsAll) return 'accepts';
    const before = this.behaviours.get(url);
    const mood = before !== undefined && this.random.chance(STEADY_PROBABILITY) ? before : this.random.pick(BEHAVIOURS);
    this.behaviours.set(url, mood);
    return mood;
  }
}

function toReaction(mood: Exclude<ReceiverBehaviour, 'is unavailable'>): Reaction['answer'] {
  if (mood === 'hangs') return 'none';
  if (mood === 'resets') return { failure: 'connection_reset', durationMs: 1 };
  return { responseStatus: STATUS[mood], durationMs: 1, retryAfterSeconds: null };
}

function toReceivedRequest(
  url: string,
  body: Buffer,
  headers: Envelope['headers'],
  receivedAt: number,
): ReceivedRequest {
  const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method: 'POST', path: new URL(url).pathname, headers: lowerCased, body: body.toString('utf8'), receivedAt };
}

/** Records which process sent each attempt. */
export class SendLog {
  private readonly senders = new Map<string, ProcessLifecycle>();

  record(deliveryId: string, life: ProcessLifecycle): void {
    this.senders.set(deliveryId, life);
  }

  findSender(deliveryId: string): ProcessLifecycle | null {
    return this.senders.get(deliveryId) ?? null;
  }
}

/** Replaces the `Sender` of a process. */
export class SimulatedSender implements Pick<Sender, 'post'> {
  constructor(
    private readonly life: ProcessLifecycle,
    private readonly receivers: Receivers,
    private readonly sends: SendLog,
  ) {}

  /** Sends an envelope to its receiver. A request of an ended process may arrive; its response is lost. */
  post({ url }: Destination, envelope: Envelope, { timeoutMs }: SendOptions): Promise<AttemptResult> {
    const { promise, resolve } = Promise.withResolvers<AttemptResult>();
    const { life, receivers, sends } = this;
    sends.record(envelope.headers['X-Service-Delivery-Id']!, life);
    life.schedule(timeoutMs, () => resolve({ failure: 'timeout', durationMs: timeoutMs }));
    life.timeline.after(life.random.between(0, 20), () => {
      if (life.hasEnded && life.random.chance(0.5)) return;
      const { answer, afterMs } = receivers.deliver(url, envelope);
      if (answer !== 'none') life.schedule(afterMs, () => resolve(answer));
    });
    return promise;
  }
}
