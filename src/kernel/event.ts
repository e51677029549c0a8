import type { Position } from './position.js';

export type Mode = 'live' | 'test';

/** Who acts: an API key, a signed-in user, the bearer of a cart's token, or the service itself. */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'cart' | 'system';
  readonly id: string;
}

/** Who did what, when and why. Every recorded event carries it; the audit history is read from it. */
export interface Meta {
  /** The time at which the service recorded the event: ISO 8601, UTC, milliseconds. Ours, never the store's. */
  readonly at: string;
  readonly command: string;
  readonly commandId: string;
  /** The request that began it all; the same in everything that it caused. */
  readonly correlationId: string;
  /** What caused this command: a request id or an event id. */
  readonly causationId: string;
  readonly actor: Actor;
  readonly business: string | null;
  readonly mode: Mode;
  readonly requestId: string | null;
  /** Version of the shape of `data`; upcasters bring older ones up to date when they are read. */
  readonly v: number;
}

/** A fact as a decider states it. Type names and the keys of `data` are for ever. */
export interface Fact<T extends string = string, D extends object = object> {
  readonly type: T;
  readonly data: D;
}

export interface NewEvent<T extends string = string, D extends object = object> extends Fact<T, D> {
  /** UUID, derived from the command: the same run of the same command makes the same id. */
  readonly id: string;
  readonly meta: Meta;
}

/** An event in the log. */
export interface Recorded<T extends string = string, D extends object = object> extends NewEvent<T, D> {
  readonly stream: string;
  /** Place in its stream, from 0, without gaps. */
  readonly revision: number;
  /** Place in the whole log. */
  readonly position: Position;
}

/** Where an event is, in whichever store. */
export type EventPlace = Pick<Recorded, 'id' | 'stream' | 'revision'>;

/** A union of facts, as recorded. */
export type RecordedOf<E extends Fact> = E extends Fact<infer T, infer D> ? Recorded<T, D> : never;
