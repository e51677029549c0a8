import type { Mode } from './session';

/** The business and the mode that a link names, such as the link of a mail: `#business=biz_1&mode=test`. */
export interface Place {
  readonly business: string | null;
  readonly mode: Mode | null;
}

export const NOWHERE: Place = { business: null, mode: null };

export function readPlace(hash: string): Place {
  const fragment = new URLSearchParams(hash.slice(1));
  const [business, mode] = [fragment.get('business'), fragment.get('mode')];
  if (business === null && mode === null) return NOWHERE;
  return { business, mode: mode === null ? null : mode === 'test' ? 'test' : 'live' };
}

/** The user may change the business and the mode from then on. */
export function removeFragment(): void {
  const { hash, pathname, search } = window.location;
  if (hash !== '') window.history.replaceState(null, '', pathname + search);
}
