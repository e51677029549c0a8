import { evolve, type Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';
import type { Kept } from './baselines.js';
import { weightOf } from './weight.js';

/** Limit for events in memory. Longer streams keep only their state; their history is read again on request. */
const KEPT_EVENTS = 200;
const KEPT_CHARACTERS = 250_000;
/** Estimated size of an event without its data. */
const EVENT_CHARACTERS = 1_000;
const REMEMBERED_COMMANDS = 1_000;
const COMMAND_CHARACTERS = 100;
/** Number of events after which a new baseline is stored and the size of the state is estimated again. */
const BASELINE_EVENTS = 200;

/**
 * The state of a stream at a revision. It is never trusted beyond that revision: every load reads the later events.
 */
export interface Known<S> {
  readonly revision: number;
  readonly position: Position;
  /** Id of the last event; null for an empty stream. */
  readonly eventId: string | null;
  readonly state: S;
  /** All events up to the revision; null when there are too many to keep. */
  readonly events: readonly Recorded[] | null;
  /** Estimated cache size: of the events as JSON, or of the state and the commands. */
  readonly characters: number;
  /** Revision at which the state was last stored as a baseline and its size estimated. */
  readonly marked: number;
  /**
   * Last revision of each command, when the events are not kept. All snapshots of a stream share one map, so it may be
   * ahead of this snapshot.
   */
  readonly commands: Map<string, number> | null;
  /** Whether this process has written later events: they must be read before a decision. */
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

/** Returns whether a baseline must be stored after the new events. */
export function isDue({ events, marked, revision }: Known<unknown>, before: Known<unknown>): boolean {
  return events === null && (marked === revision || revision - before.revision >= BASELINE_EVENTS);
}

/** Returns the stored form of a baseline. */
export function packed<S, C, E extends Fact>({ baseline }: Decider<S, C, E>, { state, commands, revision }: Known<S>): object {
  return { state: baseline!.pack(state), commands: [...commands!].filter(([, last]) => last <= revision) };
}

export function unpacked<S, C, E extends Fact>({ baseline }: Decider<S, C, E>, { value, ...kept }: Kept): Known<S> {
  const { state: inside, commands } = value as { readonly state: object; readonly commands: readonly [string, number][] };
  const state = baseline!.unpack(inside);
  const characters = weightOf(state) + commands.length * COMMAND_CHARACTERS;
  return { ...kept, state, events: null, characters, marked: kept.revision, commands: new Map(commands) };
}

/** Returns the last known revision that the command recorded; undefined when none is known. */
export function lastRevisionOf({ events, commands, revision }: Known<unknown>, commandId: string): number | undefined {
  if (events !== null) return events.findLast(({ meta }) => meta.commandId === commandId)?.revision;
  const last = commands?.get(commandId);
  return last !== undefined && last <= revision ? last : undefined;
}

/** Estimates the size of the events; stops at the limit. */
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
