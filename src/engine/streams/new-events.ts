import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, NewEvent, Recorded } from '../../kernel/event.js';
import type { Appended } from '../../kernel/event-store.js';
import { uuidAt } from '../../kernel/ids.js';

/** One run of a command against a stream. */
export interface Run<S, C, E extends Fact> {
  readonly decider: Decider<S, C, E>;
  readonly stream: string;
  readonly command: C;
  readonly context: Context;
  /** Tells this run's events from those of every other run of the same command. */
  readonly lot: string;
}

/** What was decided at `at`, as it is to be recorded. */
export function newEvents<S, C, E extends Fact>(facts: readonly E[], run: Run<S, C, E>, at: string): NewEvent[] {
  const { decider, command, context, lot } = run;
  const { commandId, correlationId, causationId, actor, business, mode, requestId } = context;
  const meta = { at, command: nameOf(command), commandId, correlationId, causationId, actor, business, mode, requestId };
  return facts.map(({ type, data }, i) => ({
    id: uuidAt(Date.parse(at), commandId, lot, i),
    type,
    // As it will be read: what JSON leaves out is not in the answer to the write either.
    data: JSON.parse(JSON.stringify(data)) as object,
    meta: { ...meta, v: decider.versions[type as E['type']] },
  }));
}

/** Events of one append lie side by side in the log, so for merging with other streams the last one's position serves them all. */
export function asRecorded(events: readonly NewEvent[], stream: string, { revision, position, positions }: Appended): Recorded[] {
  const first = revision - events.length + 1;
  return events.map((event, i) => ({ ...event, stream, revision: first + i, position: positions?.[i] ?? position }));
}

function nameOf(command: unknown): string {
  const { type } = command as { readonly type?: unknown };
  return typeof type === 'string' ? type : 'unknown';
}
