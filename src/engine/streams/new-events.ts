import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, Meta, NewEvent, Recorded } from '../../kernel/event.js';
import type { Appended } from '../../kernel/event-store.js';
import { uuidAt } from '../../kernel/ids.js';

/** One run of a command against a stream. */
export interface Run<S, C, E extends Fact> {
  readonly decider: Decider<S, C, E>;
  readonly stream: string;
  readonly command: C;
  readonly context: Context;
  /** Returns the context under which an event is recorded. */
  readonly contextOf: (event: E) => Context;
  /** Distinguishes the events of this run from those of other runs of the same command. */
  readonly lot: string;
}

/** Returns the decided facts as events to record. */
export function newEvents<S, C, E extends Fact>(facts: readonly E[], run: Run<S, C, E>, at: string): NewEvent[] {
  const { decider, context, lot } = run;
  return facts.map((fact, i) => ({
    id: uuidAt(Date.parse(at), context.commandId, lot, i),
    type: fact.type,
    // Copies the data as JSON, so that the answer to the write equals a later read.
    data: JSON.parse(JSON.stringify(fact.data)) as object,
    meta: { ...metaOf(fact, run, at), v: decider.versions[fact.type as E['type']] },
  }));
}

function metaOf<S, C, E extends Fact>(fact: E, { command, contextOf }: Run<S, C, E>, at: string): Omit<Meta, 'v'> {
  const { commandId, correlationId, causationId, actor, business, mode, requestId } = contextOf(fact);
  return { at, command: nameOf(command), commandId, correlationId, causationId, actor, business, mode, requestId };
}

/**
 * Returns the appended events as recorded. Events of one append are adjacent in the log, so the position of the last
 * one serves all of them when streams are merged.
 */
export function asRecorded(events: readonly NewEvent[], stream: string, { revision, position, positions }: Appended): Recorded[] {
  const first = revision - events.length + 1;
  return events.map((event, i) => ({ ...event, stream, revision: first + i, position: positions?.[i] ?? position }));
}

function nameOf(command: unknown): string {
  const { type } = command as { readonly type?: unknown };
  return typeof type === 'string' ? type : 'unknown';
}
