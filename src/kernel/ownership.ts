import type { Context } from './context.js';
import type { Decider } from './decider.js';
import type { Fact, Mode } from './event.js';
import type { CollectionSchema, WhereOf } from './read-models.js';
import { requireFound } from './rejection.js';

/** A document that belongs to one business in one mode. */
export interface Owned {
  readonly _business: string;
  readonly _mode: Mode;
}

/** The paths by which lists of owned documents are indexed and counted. */
export const OWNER_INDEX = ['_business', '_mode'] as const;

/** The path by which lists of owned documents are ordered. */
const ORDER = 'created_at';

type ListPath = (typeof OWNER_INDEX)[number] | typeof ORDER;

/**
 * Declares the lists of owned documents, newest first. @param groups the filters that match many documents, each with
 * an exact total; `[]`: the whole list @param narrow the filters that match few documents
 */
export function declareLists<const P extends string = never>(
  groups: readonly (readonly P[])[],
  narrow: readonly (readonly P[])[] = [],
): Required<Omit<CollectionSchema<P | ListPath>, 'sparse'>> {
  const totals = groups.map((paths) => [...OWNER_INDEX, ...paths]);
  const small = narrow.map((paths) => [...OWNER_INDEX, ...paths]);
  return {
    indexes: [...totals, ...small].map((paths) => [...paths, ORDER]),
    totals,
    hourly: totals.map((group) => ({ group, times: [ORDER] })),
  };
}

export function toOwnerFilter({ business, mode }: Pick<Context, 'business' | 'mode'>): WhereOf<Owned> {
  return { _business: business, _mode: mode };
}

/** The business and mode that a document or a stream belongs to, or for which a caller acts. */
export interface Owner {
  readonly business: string | null;
  readonly mode: Mode;
}

/** The rule of ownership: a caller sees the resources of its business in its mode. */
function isOwnedBy(caller: Owner, owner: Owner): boolean {
  return owner.business === caller.business && owner.mode === caller.mode;
}

/** Returns the document if it belongs to the caller, else null. */
export function ownDocument<D extends Owned>(document: D | null, caller: Owner): D | null {
  if (document === null) return null;
  return isOwnedBy(caller, { business: document._business, mode: document._mode }) ? document : null;
}

/**
 * Returns the document of the caller. @throws Rejection `not_found`, the same for unknown, foreign and other-mode ids
 */
export function requireOwned<D extends Owned>(document: D | null, caller: Owner): D {
  return requireFound(ownDocument(document, caller));
}

/** A decider whose streams each belong to one business in one mode; `K`: the states of a stream that a caller may see. */
export interface OwnedDecider<S, C, E extends Fact, K extends S> extends Decider<S, C, E> {
  isKnown(state: S): state is K;
  ownerOf(state: K): Owner;
}

/** Returns the state if its stream belongs to the caller, else null. */
export function ownState<S, K extends S>(
  { isKnown, ownerOf }: Pick<OwnedDecider<S, never, never, K>, 'isKnown' | 'ownerOf'>,
  state: S,
  caller: Owner,
): K | null {
  return isKnown(state) && isOwnedBy(caller, ownerOf(state)) ? state : null;
}
