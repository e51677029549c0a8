import { uuidV5 } from './ids.js';
import type { Actor, Mode, Recorded } from './event.js';
import { later, START, type Position } from './position.js';

/** How far a request has seen and written; what its reads wait for, and what its answer's Consistency-Token says. */
export class Progress {
  stale = false;
  /** What the request itself has written, whatever it was told of before. */
  written: Position = START;

  constructor(public position: Position = START) {}

  wrote(position: Position): void {
    this.position = later(this.position, position);
    this.written = later(this.written, position);
  }
}

/** For whom, by whom and why a command or a query runs. */
export interface Context {
  readonly commandId: string;
  /** Milliseconds. Ids take their time from here: the claim's time, the job's due time, the causing event's; never a second run's. */
  readonly at: number;
  readonly correlationId: string;
  readonly causationId: string;
  readonly actor: Actor;
  readonly business: string | null;
  readonly mode: Mode;
  readonly requestId: string | null;
  readonly progress: Progress;
}

/** The same context for one step of a command that writes several streams: its command id follows from the command's and the label. */
export function step(context: Context, ...label: readonly (string | number)[]): Context {
  return { ...context, commandId: uuidV5(context.commandId, ...label) };
}

/** The context of what an event causes: its command id follows from the event and the label, so at least once becomes once. */
export function causedBy(event: Recorded, process: string, ...label: readonly (string | number)[]): Context {
  return {
    commandId: uuidV5(event.id, process, ...label),
    at: Date.parse(event.meta.at),
    correlationId: event.meta.correlationId,
    causationId: event.id,
    actor: { type: 'system', id: process },
    business: event.meta.business,
    mode: event.meta.mode,
    requestId: event.meta.requestId,
    progress: new Progress(event.position),
  };
}

/**
 * The context of the command that recorded the event, as its own steps had it: a process that finishes what a crash cut short runs the
 * same steps under the same command ids, for the same actor and cause.
 */
export function resumed(event: Recorded, process: string): Context {
  const { actor, commandId, causationId } = event.meta;
  return { ...causedBy(event, process), actor, commandId, causationId };
}
