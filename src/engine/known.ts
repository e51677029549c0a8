import type { Decider } from '../kernel/decider.js';
import type { Fact, Recorded } from '../kernel/event.js';
import { START, type Position } from '../kernel/position.js';

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
  /** Last revision of each command. */
  readonly commands: ReadonlyMap<string, number>;
}

export function nothingKnown<S, C, E extends Fact>(decider: Decider<S, C, E>): Known<S> {
  return { revision: -1, position: START, state: decider.initial, events: [], characters: 0, commands: new Map() };
}

export function evolved<S, C, E extends Fact>(decider: Decider<S, C, E>, known: Known<S>, news: readonly Recorded[]): Known<S> {
  const last = news.at(-1)!;
  const characters = Math.min(KEPT_CHARACTERS, known.characters + charactersOf(news));
  const isLong = last.revision >= KEPT_EVENTS || characters === KEPT_CHARACTERS;
  return {
    revision: last.revision,
    position: last.position,
    state: news.reduce((state, event) => decider.evolve(state, event as unknown as E), known.state),
    events: known.events === null || isLong ? null : [...known.events, ...news],
    characters,
    commands: remembered(known.commands, news),
  };
}

function charactersOf(events: readonly Recorded[]): number {
  return events.reduce((sum, { data }) => sum + EVENT_CHARACTERS + JSON.stringify(data).length, 0);
}

function remembered(commands: ReadonlyMap<string, number>, news: readonly Recorded[]): ReadonlyMap<string, number> {
  const all = new Map(commands);
  for (const { meta, revision } of news) all.set(meta.commandId, revision);
  for (const oldest of all.keys()) {
    if (all.size <= REMEMBERED_COMMANDS) break;
    all.delete(oldest);
  }
  return all;
}
