import type { WebhookEvent } from './generated/events.gen.ts';
import { type Message, parseMessages } from './messages.ts';
import { ConnectionError } from './problems.ts';
import { isTransient, pause, retryAfterMs } from './retries.ts';

const RECONNECT_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
/** The service sends a comment every 15 s. A connection without a byte for this time is lost. */
const SILENCE_MS = 45_000;

type OpenStream = (lastEventId: string | null, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/**
 * The public events as they are published: `for await (const event of client.webhooks.events.stream())`. It connects
 * again after an interruption, and continues after the last event that the loop has finished.
 */
export class EventStream implements AsyncIterable<WebhookEvent> {
  /** The id of the last event that the loop has finished. Pass it as `after` to a later stream. */
  lastEventId: string | null = null;
  readonly #open: OpenStream;
  readonly #signal: AbortSignal | undefined;
  #reconnectMs = RECONNECT_MS;

  constructor(open: OpenStream, signal?: AbortSignal) {
    this.#open = open;
    this.#signal = signal;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, undefined> {
    for (let failures = 0; ; failures++) {
      let retryMs = 0;
      try {
        for await (const { id, data } of this.#connect()) {
          failures = 0;
          yield JSON.parse(data) as WebhookEvent;
          this.lastEventId = id ?? this.lastEventId;
        }
      } catch (error) {
        this.#signal?.throwIfAborted();
        if (!isTransient(error)) throw error;
        retryMs = retryAfterMs(error);
      }
      const backoff = Math.min(LONGEST_PAUSE_MS, this.#reconnectMs * 2 ** failures) * (0.5 + Math.random() / 2);
      await pause(Math.max(backoff, retryMs), this.#signal);
    }
  }

  /** Yields the messages of one connection. @throws ConnectionError when it is lost */
  async *#connect(): AsyncGenerator<Message, void, undefined> {
    const silence = new AbortController();
    const signal = this.#signal === undefined ? silence.signal : AbortSignal.any([silence.signal, this.#signal]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expectBytes = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(createSilenceError()), SILENCE_MS);
    };
    try {
      expectBytes();
      const body = await this.#open(this.lastEventId, signal);
      const watched = body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            expectBytes();
            controller.enqueue(chunk);
          },
        }),
      );
      yield* this.#readMessages(watched);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  async *#readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void, undefined> {
    const messages = parseMessages(body);
    try {
      for (;;) {
        const next = await messages.next().catch((cause: unknown) => {
          throw new ConnectionError('The event stream', cause);
        });
        if (next.done) return;
        this.#reconnectMs = next.value.retryMs ?? this.#reconnectMs;
        if (next.value.data !== '') yield next.value;
      }
    } finally {
      await messages.return();
    }
  }
}

function createSilenceError(): ConnectionError {
  return new ConnectionError('The event stream', new DOMException(`no byte for ${SILENCE_MS} ms`, 'TimeoutError'));
}
