import { evolve, type Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';

/** Longer streams keep their state, and are read anew when somebody asks for their history. */
const KEPT_EVENTS = 200;
const KEPT_CHARACTERS = 250_000;
/** What an event takes beside its data. */
const EVENT_CHARACTERS = 1_000;
const REMEMBERED_COMMANDS = 1_000;

/** What is known of a stream up to a revision. Never trusted beyond it: every load reads on from there. */
export interface Known<S> {
  readonly revision: number;
  readonly position: Position;
  readonly state: S;
  /** Every event so far; null once there are too many to keep. */
  readonly events: readonly Recorded[] | null;
  /** Of the events so far, as JSON, about; what remembering them costs. */
  readonly characters: number;
  /**
   * Last revision of each command, once the events are not kept. One map for all that is known of a stream at different times: it may be
   * ahead of this one.
   */
  readonly commands: Map<string, number> | null;
  /** This process has written behind it: to be read on before anything is decided. */
  readonly behind?: true;
}

export function nothingKnown<S, C, E extends Fact>(decider: Decider<S, C, E>): Known<S> {
  return { revision: -1, position: START, state: decider.initial, events: [], characters: 0, commands: null };
}

/** @throws NewerEvent */
export function evolved<S, C, E extends Fact>(decider: Decider<S, C, E>, known: Known<S>, news: readonly Recorded[]): Known<S> {
  const last = news.at(-1)!;
  const characters = Math.min(KEPT_CHARACTERS, known.characters + charactersOf(news));
  const isLong = last.revision >= KEPT_EVENTS || characters === KEPT_CHARACTERS;
  const all = [...(known.events ?? []), ...news];
  const areKept = known.events !== null && !isLong;
  return {
    revision: last.revision,
    position: last.position,
    state: news.reduce((state, event) => evolve(decider, state, event), known.state),
    events: areKept ? all : null,
    characters,
    commands: areKept ? null : remembered(known.commands ?? new Map<string, number>(), all),
  };
}

/** Of what a command has recorded in the stream; undefined when it has not, as far as is known. */
export function lastRevisionOf({ events, commands, revision }: Known<unknown>, commandId: string): number | undefined {
  if (events !== null) return events.findLast(({ meta }) => meta.commandId === commandId)?.revision;
  const last = commands?.get(commandId);
  return last !== undefined && last <= revision ? last : undefined;
}

function charactersOf(events: readonly Recorded[]): number {
  return events.reduce((sum, { data }) => sum + EVENT_CHARACTERS + JSON.stringify(data).length, 0);
}

function remembered(commands: Map<string, number>, news: readonly Recorded[]): Map<string, number> {
  for (const { meta, revision } of news) commands.set(meta.commandId, revision);
  for (const oldest of commands.keys()) {
    if (commands.size <= REMEMBERED_COMMANDS) break;
    commands.delete(oldest);
  }
  return commands;
}
