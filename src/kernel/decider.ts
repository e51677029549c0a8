import type { Fact, Meta } from './event.js';
import { refuseNewer } from './upcasting.js';

/** What a decision may use beside the command and the state. Everything else is brought in the command. */
export interface Decision {
  /** The time of the decision: ISO 8601, UTC, milliseconds. */
  readonly now: string;
  /** The next new id with this prefix, derived from the command: a repeated command draws the same ids in the same order. */
  id(prefix: string): string;
}

/**
 * The pure core of one noun. `decide` refuses (throws a Rejection), is silent (`[]`, asked twice), or says what happened.
 * `category` is camelCase without a dash; a stream is `<category>-<id>`.
 */
export interface Decider<S, C, E extends Fact> {
  readonly category: string;
  /** Its streams never end: they are too long to be read whole, nothing is rendered from them, and outcomes come without their history. */
  readonly endless?: true;
  /** Every event type that it records, with the newest version of the shape of its `data`. An upcaster brings older versions up to it. */
  readonly versions: Readonly<Record<E['type'], number>>;
  /** How its state is kept beside long streams, so that they are not read from their first event. */
  readonly baseline?: Baseline<S>;
  readonly initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S, x: Decision): readonly E[];
}

/** A state as JSON. */
export interface Baseline<S> {
  /** Raised when `evolve`, the state's shape or these two change: what an older version kept is not read. */
  readonly version: number;
  pack(state: S): object;
  unpack(kept: object): S;
}

/** Of a state that is JSON already. */
export function plainBaseline<S extends object>(version: number): Baseline<S> {
  return { version, pack: (state) => state, unpack: (kept) => kept as S };
}

export function streamOf(decider: { readonly category: string }, id: string): string {
  return `${decider.category}-${id}`;
}

/** The id behind the category: `subscription-ps_1` → `ps_1`. */
export function idOfStream(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

export function categoryOfStream(stream: string): string {
  return stream.slice(0, stream.indexOf('-'));
}

/** The state after one event, recorded or just decided. @throws NewerEvent for a type or a version that the decider does not know */
export function evolve<S, E extends Fact>(decider: Decider<S, never, E>, state: S, event: Fact & { readonly meta?: Pick<Meta, 'v'> }): S {
  refuseNewer(event, decider.versions);
  return decider.evolve(state, event as E);
}

/** @throws NewerEvent */
export function fold<S, E extends Fact>(decider: Decider<S, never, E>, events: readonly E[], from: S = decider.initial): S {
  return events.reduce((state, event) => evolve(decider, state, event), from);
}
