import type { Position } from './position.js';

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** The caller that acts: an API key, a signed-in user, the bearer of a cart token, or the service itself. */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'cart' | 'system';
  readonly id: string;
}

/** The actor, command, time and cause of an event. Every recorded event has it; the audit history is read from it. */
export interface Meta {
  /** The time at which the service recorded the event, by its own clock: ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly command: string;
  readonly commandId: string;
  /** The id of the first request; every event that it caused, directly or not, has the same one. */
  readonly correlationId: string;
  /** The cause of this command: a request id or an event id. */
  readonly causationId: string;
  readonly actor: Actor;
  readonly business: string | null;
  readonly mode: Mode;
  readonly requestId: string | null;
  /** The schema version of `data`; upcasters convert older versions when they are read. */
  readonly v: number;
}

/** A fact as a decider returns it. Type names and the keys of `data` never change. */
export interface Fact<T extends string = string, D extends object = object> {
  readonly type: T;
  readonly data: D;
}

export interface NewEvent<T extends string = string, D extends object = object> extends Fact<T, D> {
  /** UUID, derived from the command: the same step of the same command has the same id. */
  readonly id: string;
  readonly meta: Meta;
}

export interface RecordedEvent<T extends string = string, D extends object = object> extends NewEvent<T, D> {
  readonly stream: string;
  /** Number in its stream, from 0, without gaps. */
  readonly revision: number;
  /** Position in the whole log. */
  readonly position: Position;
}

/** An event whose data have a text under this key. */
export interface EventWithKey<K extends string> {
  readonly data: Readonly<Record<K, string>>;
}

/** Identifies an event in any store. */
export type EventRef = Pick<RecordedEvent, 'id' | 'stream' | 'revision'>;

/** The recorded form of a union of facts. */
export type RecordedOf<E extends Fact> = E extends Fact<infer T, infer D> ? RecordedEvent<T, D> : never;

declare const events: unique symbol;

/** The types of all events of `E`. Only `typesOf` makes it, and it does not fit a larger or a smaller union. */
export interface TypesOf<E extends Fact> extends ReadonlyArray<E['type']> {
  readonly [events]: (event: E) => E;
}

/** Lists the types of all events of `E`: a missing, an extra or a misspelled key does not compile. */
export function typesOf<E extends Fact>(types: Readonly<Record<E['type'], unknown>>): TypesOf<E> {
  return Object.keys(types) as readonly string[] as TypesOf<E>;
}
