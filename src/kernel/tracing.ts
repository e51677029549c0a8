import type { RecordedEvent } from './event.js';

/** A unit of work in a trace. Everything that one request causes has the same correlation id, in every process. */
export interface TracedWork {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly correlationId: string;
  /** The id that caused works name as their cause: of a request, a command or an event. */
  readonly id?: string;
  readonly causationId: string;
  /** Types and outcomes only: never a secret, an address, a name or a text that a caller wrote. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Receives traced works. Implementations must not throw. */
export interface Tracer {
  /** Runs the work. Works that it starts are its children. */
  run<T>(work: TracedWork, execute: () => Promise<T>): Promise<T>;
  /** Records a work that has ended now. @param ms its duration */
  record(work: TracedWork, ms: number): void;
}

let tracer: Tracer | null = null;

/** Sets the tracer of this process; null switches tracing off. */
export function setTracer(chosen: Tracer | null): void {
  tracer = chosen;
}

/** Runs the work, and traces it when tracing is on. */
export function trace<T>(describe: () => TracedWork, execute: () => Promise<T>): Promise<T> {
  return tracer === null ? execute() : tracer.run(describe(), execute);
}

/** Records works that have ended now, when tracing is on. */
export function recordTraced(describe: () => readonly TracedWork[], ms: number): void {
  if (tracer !== null) for (const work of describe()) tracer.record(work, ms);
}

/** Returns the identity of a work that an event causes. */
export function toEventCause({ id, meta }: Pick<RecordedEvent, 'id' | 'meta'>) {
  return { correlationId: meta.correlationId, causationId: id };
}

export function toEventWork(name: string, event: RecordedEvent): TracedWork {
  return { name, kind: 'internal', ...toEventCause(event), attributes: { 'event.type': event.type } };
}
