import type { Context } from './context.js';
import type { Mode } from './event.js';
import { Rejection } from './rejection.js';

/** What belongs to one business in one mode. */
export interface Owned {
  readonly business: { readonly id: string };
  readonly _mode: Mode;
}

/** The document when it is the caller's own; otherwise the 404 that unknown, foreign and other-mode ids share. */
export function own<D extends Owned>(document: D | null, context: Context): D {
  if (document === null || document.business.id !== context.business || document._mode !== context.mode) throw Rejection.notFound();
  return document;
}
