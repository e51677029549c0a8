// Preloaded into a service that serves one request at a time: records when each request passes the measured methods of
// a
// write, and reports the time between them to the parent process.
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { importBuilt } from './built.ts';

/** The span between a measured point and the previous one. */
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
  'complete',
  'serialise and send',
] as const;

/** The spans of one request, in microseconds. */
export type SpanTimings = Readonly<Record<(typeof SPANS)[number], number>>;

const all: SpanTimings[] = [];
let times: number[] = [];

if (isMainThread) await watch();

async function watch(): Promise<void> {
  const { AuthGuard } =
    await importBuilt<typeof import('../../src/http/auth/auth.guard.js')>('http/auth/auth.guard.js');
  const { Streams } =
    await importBuilt<typeof import('../../src/engine/streams/streams.js')>('engine/streams/streams.js');
  const { EmbeddedEventStore } = await importBuilt<typeof import('../../src/stores/embedded/event-store.js')>(
    'stores/embedded/event-store.js',
  );
  const { EmbeddedIdempotency } = await importBuilt<typeof import('../../src/stores/embedded/idempotency.js')>(
    'stores/embedded/idempotency.js',
  );

  subscribe('http.server.request.start', () => (times = [performance.now()]));
  markAround(AuthGuard.prototype, 'canActivate', 1);
  markAround(EmbeddedIdempotency.prototype, 'claim', 3);
  markAround(Streams.prototype, 'execute', 5, 8);
  markAround(EmbeddedEventStore.prototype, 'append', 6);
  markAround(EmbeddedIdempotency.prototype, 'complete', 9);
  subscribe('http.server.response.finish', () => recordMark(SPANS.length));
  process.on('message', (message) => {
    if (message === 'marks') process.send!(all.splice(0));
  });
}

/** Wraps a method: marks its call as the request's point number `before` and its end as point number `after`. */
function markAround<T extends object>(prototype: T, name: keyof T, before: number, after = before + 1): void {
  const method = prototype[name] as (...args: unknown[]) => Promise<unknown>;
  const marked = async function (this: unknown, ...args: unknown[]) {
    recordMark(before);
    try {
      return await method.apply(this, args);
    } finally {
      recordMark(after);
    }
  };
  Object.assign(prototype, { [name]: marked });
}

/** Ignores a point that is out of order, because it belongs to no measured request. */
function recordMark(seam: number): void {
  if (times.length !== seam) return;
  times.push(performance.now());
  if (seam === SPANS.length)
    all.push(Object.fromEntries(SPANS.map((span, i) => [span, (times[i + 1]! - times[i]!) * 1_000])) as SpanTimings);
}
