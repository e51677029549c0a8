import type { Decider } from '../kernel/decider.js';
import type { Fact, Recorded } from '../kernel/event.js';
import { START, type Position } from '../kernel/position.js';

/** Longer streams keep their state, and are read anew when somebody asks for their history. */
const KEPT_EVENTS = 200;
const REMEMBERED_COMMANDS = 1_000;

/** What is known of a stream up to a revision. Never trusted beyond it: every load reads on from there. */
export interface Known<S> {
  readonly revision: number;
  readonly position: Position;
  readonly state: S;
  /** Every event so far; null once there are too many to keep. */
  readonly events: readonly Recorded[] | null;
  /** Last revision of each command. */
  readonly commands: ReadonlyMap<string, number>;
}

export function nothingKnown<S, C, E extends Fact>(decider: Decider<S, C, E>): Known<S> {
  return { revision: -1, position: START, state: decider.initial, events: [], commands: new Map() };
}

export function evolved<S, C, E extends Fact>(decider: Decider<S, C, E>, known: Known<S>, news: readonly Recorded[]): Known<S> {
  const last = news.at(-1)!;
  return {
    revision: last.revision,
    position: last.position,
    state: news.reduce((state, event) => decider.evolve(state, event as unknown as E), known.state),
    events: known.events === null || last.revision >= KEPT_EVENTS ? null : [...known.events, ...news],
    commands: remembered(known.commands, news),
  };
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
