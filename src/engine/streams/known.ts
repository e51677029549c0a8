import { evolve, type Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';
import type { Kept } from './baselines.js';
import { weightOf } from './weight.js';

/** Longer streams keep their state, and are read anew when somebody asks for their history. */
const KEPT_EVENTS = 200;
const KEPT_CHARACTERS = 250_000;
/** What an event takes beside its data. */
const EVENT_CHARACTERS = 1_000;
const REMEMBERED_COMMANDS = 1_000;
const COMMAND_CHARACTERS = 100;
/** After so many events a baseline is kept anew, and a state weighed. */
const BASELINE_EVENTS = 200;

/** What is known of a stream up to a revision. Never trusted beyond it: every load reads on from there. */
export interface Known<S> {
  readonly revision: number;
  readonly position: Position;
  /** Of the last event; null when there is none. */
  readonly eventId: string | null;
  readonly state: S;
  /** Every event so far; null once there are too many to keep. */
  readonly events: readonly Recorded[] | null;
  /** What remembering this costs, about: of the events so far, as JSON, or of the state and the commands. */
  readonly characters: number;
  /** Up to which revision the state was last kept as a baseline and weighed. */
  readonly marked: number;
  /**
   * Last revision of each command, once the events are not kept. One map for all that is known of a stream at different times: it may be
   * ahead of this one.
   */
  readonly commands: Map<string, number> | null;
  /** This process has written behind it: to be read on before anything is decided. */
  readonly behind?: true;
}

export function nothingKnown<S, C, E extends Fact>(decider: Decider<S, C, E>): Known<S> {
  const nothing = { revision: -1, position: START, eventId: null, marked: -1 };
  return { ...nothing, state: decider.initial, events: [], characters: 0, commands: null };
}

/** @throws NewerEvent */
export function evolved<S, C, E extends Fact>(decider: Decider<S, C, E>, known: Known<S>, news: readonly Recorded[]): Known<S> {
  const { revision, position, id: eventId } = news.at(-1)!;
  const state = news.reduce((before, event) => evolve(decider, before, event), known.state);
  const now = { revision, position, eventId, state };

  const characters = known.characters + charactersOf(news);
  const areKept = known.events !== null && revision < KEPT_EVENTS && characters < KEPT_CHARACTERS;
  if (areKept) return { ...now, events: [...known.events, ...news], characters, marked: -1, commands: null };

  const commands = remembered(known.commands ?? new Map<string, number>(), known.events === null ? news : [...known.events, ...news]);
  const isMarked = known.events === null && revision - known.marked < BASELINE_EVENTS;
  const weight = isMarked ? known.characters : weightOf(state) + commands.size * COMMAND_CHARACTERS;
  return { ...now, events: null, characters: weight, marked: isMarked ? known.marked : revision, commands };
}

/** Whether this state is to be kept beside the stream, after so much that is new. */
export function isDue({ events, marked, revision }: Known<unknown>, before: Known<unknown>): boolean {
  return events === null && (marked === revision || revision - before.revision >= BASELINE_EVENTS);
}

/** What is kept of a state beside its stream. */
export function packed<S, C, E extends Fact>({ baseline }: Decider<S, C, E>, { state, commands, revision }: Known<S>): object {
  return { state: baseline!.pack(state), commands: [...commands!].filter(([, last]) => last <= revision) };
}

export function unpacked<S, C, E extends Fact>({ baseline }: Decider<S, C, E>, { value, ...kept }: Kept): Known<S> {
  const { state: inside, commands } = value as { readonly state: object; readonly commands: readonly [string, number][] };
  const state = baseline!.unpack(inside);
  const characters = weightOf(state) + commands.length * COMMAND_CHARACTERS;
  return { ...kept, state, events: null, characters, marked: kept.revision, commands: new Map(commands) };
}

/** Of what a command has recorded in the stream; undefined when it has not, as far as is known. */
export function lastRevisionOf({ events, commands, revision }: Known<unknown>, commandId: string): number | undefined {
  if (events !== null) return events.findLast(({ meta }) => meta.commandId === commandId)?.revision;
  const last = commands?.get(commandId);
  return last !== undefined && last <= revision ? last : undefined;
}

/** Not counted any further than anybody asks. */
function charactersOf(events: readonly Recorded[]): number {
  let sum = 0;
  for (const { data } of events) {
    if (sum >= KEPT_CHARACTERS) break;
    sum += EVENT_CHARACTERS + JSON.stringify(data).length;
  }
  return sum;
}

function remembered(commands: Map<string, number>, news: readonly Recorded[]): Map<string, number> {
  for (const { meta, revision } of news) commands.set(meta.commandId, revision);
  for (const oldest of commands.keys()) {
    if (commands.size <= REMEMBERED_COMMANDS) break;
    commands.delete(oldest);
  }
  return commands;
}
