// Preloaded into a service that serves one request at a time: notes when each request comes by the seams of the way that a write goes,
// and tells over the channel to its parent how long it was from each seam to the next.
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { importBuilt } from './built.ts';

/** What lies between a seam and the one before it. */
const SPANS = [
  'router and entrance',
  'access',
  'edge before the claim',
  'claim',
  'parse, validate, command bus',
  'decide',
  'append',
  'evolve',
  'projection of the answer',
  'finish',
  'serialise and send',
] as const;

/** Of one request, in microseconds. */
export type Marks = Readonly<Record<(typeof SPANS)[number], number>>;

const all: Marks[] = [];
let times: number[] = [];

if (isMainThread) await watch();

async function watch(): Promise<void> {
  const { AccessGuard } = await importBuilt<typeof import('../../src/http/access.guard.js')>('http/access.guard.js');
  const { Streams } = await importBuilt<typeof import('../../src/engine/streams/streams.js')>('engine/streams/streams.js');
  const { EmbeddedEventStore } =
    await importBuilt<typeof import('../../src/stores/embedded/event-store.js')>('stores/embedded/event-store.js');
  const { EmbeddedIdempotency } =
    await importBuilt<typeof import('../../src/stores/embedded/idempotency.js')>('stores/embedded/idempotency.js');

  subscribe('http.server.request.start', () => (times = [performance.now()]));
  around(AccessGuard.prototype, 'canActivate', 1);
  around(EmbeddedIdempotency.prototype, 'begin', 3);
  around(Streams.prototype, 'execute', 5, 8);
  around(EmbeddedEventStore.prototype, 'append', 6);
  around(EmbeddedIdempotency.prototype, 'finish', 9);
  subscribe('http.server.response.finish', () => mark(SPANS.length));
  process.on('message', (message) => {
    if (message === 'marks') process.send!(all.splice(0));
  });
}

/** Marks when the method is called, as the request's `before`th seam, and when it has ended. */
function around<T extends object>(prototype: T, name: keyof T, before: number, after = before + 1): void {
  const method = prototype[name] as (...args: unknown[]) => Promise<unknown>;
  const marked = async function (this: unknown, ...args: unknown[]) {
    mark(before);
    try {
      return await method.apply(this, args);
    } finally {
      mark(after);
    }
  };
  Object.assign(prototype, { [name]: marked });
}

/** What comes by out of turn belongs to no request. */
function mark(seam: number): void {
  if (times.length !== seam) return;
  times.push(performance.now());
  if (seam === SPANS.length) all.push(Object.fromEntries(SPANS.map((span, i) => [span, (times[i + 1]! - times[i]!) * 1_000])) as Marks);
}
