import type { Context } from './context.js';
import type { Decider } from './decider.js';
import type { Fact, Mode } from './event.js';
import type { Where } from './read-models.js';
import { Rejection } from './rejection.js';

/** A document that belongs to one business in one mode. */
export interface Owned {
  readonly _business: string;
  readonly _mode: Mode;
}

/** The paths by which lists of owned documents are indexed and counted. */
export const OWNER_INDEX = ['_business', '_mode'] as const;

/** Returns the filter for the documents of the caller. */
export function toOwnerFilter({ business, mode }: Pick<Context, 'business' | 'mode'>): Where {
  return { _business: business, _mode: mode };
}

/**
 * Returns the document of the caller. @throws Rejection `not_found`, the same for unknown, foreign and other-mode ids
 */
export function requireOwned<D extends Owned>(document: D | null, { business, mode }: Context): D {
  if (document === null || document._business !== business || document._mode !== mode) throw Rejection.notFound();
  return document;
}

/** The business and mode that a stream belongs to. */
export interface Owner {
  readonly business: string | null;
  readonly mode: Mode;
}

/** A decider whose streams each belong to one business in one mode; `K`: the states of a stream that a caller may see. */
export interface OwnedDecider<S, C, E extends Fact, K extends S> extends Decider<S, C, E> {
  isKnown(state: S): state is K;
  ownerOf(state: K): Owner;
}

/** Returns the state if the caller's business owns its stream in the caller's mode, else null. */
export function ownState<S, K extends S>(
  { isKnown, ownerOf }: Pick<OwnedDecider<S, never, never, K>, 'isKnown' | 'ownerOf'>,
  state: S,
  { business, mode }: Owner,
): K | null {
  if (!isKnown(state)) return null;
  const owner = ownerOf(state);
  return owner.business === business && owner.mode === mode ? state : null;
}
