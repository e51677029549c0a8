import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, Meta, NewEvent, RecordedEvent } from '../../kernel/event.js';
import type { AppendResult } from '../../kernel/event-store.js';
import { uuidAt } from '../../kernel/ids.js';
import { copyAsJson } from '../../kernel/json-copy.js';

export interface CommandRun<S, C, E extends Fact> {
  readonly decider: Decider<S, C, E>;
  readonly stream: string;
  readonly command: C;
  readonly context: Context;
  readonly contextFor: (event: E) => Context;
  /** Distinguishes the events of this run from those of other runs of the same command. */
  readonly runNonce: string;
}

export function toNewEvents<S, C, E extends Fact>(
  facts: readonly E[],
  run: CommandRun<S, C, E>,
  at: string,
): NewEvent[] {
  const { decider, context, runNonce } = run;
  return facts.map((fact, i) => ({
    id: uuidAt(Date.parse(at), context.commandId, runNonce, i),
    type: fact.type,
    // Copies the data as JSON, so that the answer to the write equals a later read.
    data: copyAsJson(fact.data),
    meta: { ...toMeta(fact, run, at), v: decider.versions[fact.type as E['type']] },
  }));
}

function toMeta<S, C, E extends Fact>(
  fact: E,
  { command, contextFor }: CommandRun<S, C, E>,
  at: string,
): Omit<Meta, 'v'> {
  const { commandId, correlationId, causationId, actor, business, mode, requestId } = contextFor(fact);
  return {
    at,
    command: getCommandName(command),
    commandId,
    correlationId,
    causationId,
    actor,
    business,
    mode,
    requestId,
  };
}

/**
 * Returns the appended events as recorded. Events of one append are adjacent in the log, so the position of the last
 * one serves all of them when streams are merged.
 */
export function toRecorded(
  events: readonly NewEvent[],
  stream: string,
  { revision, position, positions }: AppendResult,
): RecordedEvent[] {
  const first = revision - events.length + 1;
  return events.map((event, i) => ({ ...event, stream, revision: first + i, position: positions?.[i] ?? position }));
}

export function getCommandName(command: unknown): string {
  const { type } = command as { readonly type?: unknown };
  return typeof type === 'string' ? type : 'unknown';
}
