import type { Fact, Meta } from './event.js';
import { assertKnownVersion } from './upcasting.js';

/** The values that a decision may use beside the command and the state. The command brings all others. */
export interface DecisionContext {
  /** The time of the decision, by the decider's clock: ISO 8601, UTC, milliseconds. */
  readonly now: string;
  /**
   * Returns the next new id with this prefix. Ids derive from the command, so a repeated command gets the same ids in
   * the same order.
   */
  createId(prefix: string): string;
}

/**
 * The pure core of one noun. `decide` throws a Rejection, returns `[]` when nothing changes, or returns new events.
 * `category` is camelCase without a dash; a stream is `<category>-<id>`.
 */
export interface Decider<S, C, E extends Fact> {
  readonly category: string;
  /** It decides by the clock of its business (BusinessClock). Without this, it decides by real time. */
  readonly clock?: 'business';
  /**
   * Its streams grow without bound: they are never read whole, no document is rendered from them, and results omit
   * their history. Only the latest commands are recognised when they are repeated, so `decide` or its caller must
   * recognise a later repetition.
   */
  readonly unbounded?: true;
  /**
   * Every event type that it records, with the newest version of the schema of its `data`. Upcasters convert older
   * versions.
   */
  readonly versions: Readonly<Record<E['type'], number>>;
  /** Defines how the state of a long stream is stored, so that the stream is not read from its first event. */
  readonly baseline?: Baseline<S>;
  readonly initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S, x: DecisionContext): readonly E[];
}

/** Converts a state to JSON and back. */
export interface Baseline<S> {
  /**
   * Raised when `evolve`, the type of the state or these conversions change: a state stored by an older version is
   * ignored.
   */
  readonly version: number;
  pack(state: S): object;
  unpack(packed: object): S;
}

/** Creates the baseline of a state that is JSON already. */
export function createJsonBaseline<S extends object>(version: number): Baseline<S> {
  return { version, pack: (state) => state, unpack: (kept) => kept as S };
}

/** Creates the baseline of a state that is a map to values that are JSON already. */
export function createMapBaseline<V>(version: number): Baseline<ReadonlyMap<string, V>> {
  return { version, pack: (state) => [...state], unpack: (kept) => new Map(kept as [string, V][]) };
}

export function streamOf(decider: { readonly category: string }, id: string): string {
  return `${decider.category}-${id}`;
}

/** Returns the id that follows the category: `subscription-ps_1` → `ps_1`. */
export function extractId(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

export function extractCategory(stream: string): string {
  return stream.slice(0, stream.indexOf('-'));
}

/**
 * Applies one event, recorded or new, to a state. @throws NewerEvent for a type or a version that the decider does
 * not know
 */
export function evolve<S, E extends Fact>(
  decider: Decider<S, never, E>,
  state: S,
  event: Fact & { readonly meta?: Pick<Meta, 'v'> },
): S {
  assertKnownVersion(event, decider.versions);
  return decider.evolve(state, event as E);
}

/** @throws NewerEvent */
export function fold<S, E extends Fact>(
  decider: Decider<S, never, E>,
  events: readonly E[],
  from: S = decider.initial,
): S {
  return events.reduce((state, event) => evolve(decider, state, event), from);
}
