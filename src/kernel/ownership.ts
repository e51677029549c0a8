import type { Context } from './context.js';
import type { Mode } from './event.js';
import type { Where } from './read-models.js';
import { Rejection } from './rejection.js';

/** A document that belongs to one business in one mode. */
export interface Owned {
  readonly _business: string;
  readonly _mode: Mode;
}

/** How the lists of owned documents are indexed and counted. */
export const OWNER = ['_business', '_mode'] as const;

/** What is the caller's own. */
export function ownedBy({ business, mode }: Pick<Context, 'business' | 'mode'>): Where {
  return { _business: business, _mode: mode };
}

/** The document when it is the caller's own; otherwise the 404 that unknown, foreign and other-mode ids share. */
export function own<D extends Owned>(document: D | null, { business, mode }: Context): D {
  if (document === null || document._business !== business || document._mode !== mode) throw Rejection.notFound();
  return document;
}
