import type { Actor, Mode, RecordedEvent } from './event.js';
import { uuidV5 } from './ids.js';
import { pickLater, type Position, START } from './position.js';

/** The position that a request has seen or written: its reads wait for it, and its Consistency-Token carries it. */
export class ConsistencyContext {
  isStale = false;
  /** The last position that the request itself has written. */
  lastWrite: Position = START;

  constructor(public position: Position = START) {}

  recordWrite(position: Position): void {
    this.position = pickLater(this.position, position);
    this.lastWrite = pickLater(this.lastWrite, position);
  }
}

/** The business, actor and cause for which a command or a query runs. */
export interface Context {
  readonly commandId: string;
  /**
   * Milliseconds. The time of the claim, of the due job or of the causing event, from which ids take their time: it
   * is the same when the command runs again.
   */
  readonly at: number;
  /**
   * The business time of a command that runs at another time than its business's clock shows, as a timer does. ISO
   * 8601, UTC, milliseconds.
   */
  readonly now?: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly actor: Actor;
  readonly business: string | null;
  readonly mode: Mode;
  readonly requestId: string | null;
  readonly consistency: ConsistencyContext;
  /** An earlier run of this command had an unknown outcome: it may have recorded the command. */
  readonly resumed?: boolean;
}

/**
 * Creates the context of one step of a command that writes several streams: its command id derives from the command's
 * id and the label.
 */
export function createChildContext(context: Context, ...label: readonly (string | number)[]): Context {
  return { ...context, commandId: uuidV5(context.commandId, ...label) };
}

/**
 * Creates the context of a command that an event causes. The command id derives from the event and the label, so
 * repeated delivery of the event has an effect only once.
 */
export function createEventContext(
  event: RecordedEvent,
  process: string,
  ...label: readonly (string | number)[]
): Context {
  return {
    commandId: uuidV5(event.id, process, ...label),
    at: Date.parse(event.meta.at),
    correlationId: event.meta.correlationId,
    causationId: event.id,
    actor: { type: 'system', id: process },
    business: event.meta.business,
    mode: event.meta.mode,
    requestId: event.meta.requestId,
    consistency: new ConsistencyContext(event.position),
  };
}

/**
 * Restores the context of the command that recorded the event. A process that completes a command after a crash uses
 * it to run the same steps under the same command ids, for the same actor and cause.
 */
export function resumeContext(event: RecordedEvent, process: string): Context {
  const { actor, commandId, causationId } = event.meta;
  return { ...createEventContext(event, process), actor, commandId, causationId };
}
