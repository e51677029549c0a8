import type { Answer } from '../../src/webhooks/domain/answer.js';
import type { Envelope } from '../../src/webhooks/sending/envelope.js';
import type { Received } from '../support/receiver.js';
import type { Life } from './life.js';
import { BEGINNING } from './life.js';
import type { Luck } from './luck.js';
import type { Timeline } from './timeline.js';
import type { Trace } from './trace.js';

type Mood = 'accepts' | 'fails' | 'refuses' | 'hangs' | 'resets' | 'is unavailable';

const STATUS = { accepts: 200, fails: 503, refuses: 410 } as const;
const MOODS: readonly Mood[] = ['accepts', 'accepts', 'accepts', 'fails', 'refuses', 'hangs', 'resets', 'is unavailable'];
const STEADY = 0.6;

/** The response of a receiver, and its delay. */
interface Reaction {
  readonly answer: Answer | 'none';
  readonly afterMs: number;
}

/** The webhook receivers: they store each request and respond at random. */
export class Receivers {
  readonly requests: Received[] = [];
  private readonly moods = new Map<string, Mood>();
  private calm = false;

  constructor(
    readonly timeline: Timeline,
    private readonly luck: Luck,
    private readonly trace: Trace,
  ) {}

  /** Lets every receiver accept all requests from this moment. */
  becomeCalm(): void {
    this.calm = true;
  }

  /** Delivers a request to the receiver of a URL, unless the receiver is unavailable. */
  reached(url: string, { body, headers }: Envelope): Reaction {
    const mood = this.moodOf(url);
    this.trace.tell(`${url} ${mood} ${headers['X-Service-Delivery-Id']}`);
    if (mood === 'is unavailable') return { answer: { failure: 'connection_refused', durationMs: null }, afterMs: 0 };
    this.requests.push(receivedOf(url, body, headers, BEGINNING + this.timeline.now));
    return { answer: answerOf(mood), afterMs: this.luck.between(0, this.luck.chance(0.1) ? 1_500 : 20) };
  }

  /** Returns the receiver's current behaviour, which mostly stays the same for a while. */
  private moodOf(url: string): Mood {
    if (this.calm) return 'accepts';
    const before = this.moods.get(url);
    const mood = before !== undefined && this.luck.chance(STEADY) ? before : this.luck.oneOf(MOODS);
    this.moods.set(url, mood);
    return mood;
  }
}

function answerOf(mood: Exclude<Mood, 'is unavailable'>): Reaction['answer'] {
  if (mood === 'hangs') return 'none';
  if (mood === 'resets') return { failure: 'connection_reset', durationMs: 1 };
  return { responseStatus: STATUS[mood], durationMs: 1, retryAfterSeconds: null };
}

function receivedOf(url: string, body: Buffer, headers: Envelope['headers'], receivedAt: number): Received {
  const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method: 'POST', path: new URL(url).pathname, headers: lowerCased, body: body.toString('utf8'), receivedAt };
}

/** Records which process sent each attempt. */
export class Sends {
  private readonly lives = new Map<string, Life>();

  began(deliveryId: string, life: Life): void {
    this.lives.set(deliveryId, life);
  }

  by(deliveryId: string): Life | null {
    return this.lives.get(deliveryId) ?? null;
  }
}

/** Replaces the `Sender` of a process. */
export class SimulatedSender {
  constructor(
    private readonly life: Life,
    private readonly receivers: Receivers,
    private readonly sends: Sends,
  ) {}

  /** Sends an envelope to its receiver. A request of an ended process may arrive; its response is lost. */
  post(url: string, envelope: Envelope, timeoutMs: number): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const { life, receivers, sends } = this;
    sends.began(envelope.headers['X-Service-Delivery-Id']!, life);
    life.after(timeoutMs, () => resolve({ failure: 'timeout', durationMs: timeoutMs }));
    life.timeline.after(life.luck.between(0, 20), () => {
      if (life.over && life.luck.chance(0.5)) return;
      const { answer, afterMs } = receivers.reached(url, envelope);
      if (answer !== 'none') life.after(afterMs, () => resolve(answer));
    });
    return promise;
  }
}
