import type { Recorded } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import { jars, type JarDocument } from '../support/jar.js';

/** So many coins at once cannot be folded by the code as it is at first. */
export const UNLUCKY = 13;

const NAME = 'fussyJars';

/** Jars whose documents are set aside at unlucky coins for as long as `isMended` answers false. */
export function fussyJars(isMended: () => boolean, of = jars): Projection<JarDocument> {
  return {
    ...of,
    name: NAME,
    on: {
      ...of.on,
      CoinsAdded: (document, event) => {
        if (isUnlucky(event) && !isMended()) throw new Error('thirteen coins at once');
        return of.on.CoinsAdded!(document, event);
      },
    },
  };
}

export function isFussy({ name }: Pick<Projection<object>, 'name'>): boolean {
  return name === NAME;
}

function isUnlucky({ data }: Pick<Recorded, 'data'>): boolean {
  return Number((data as { readonly coins?: unknown }).coins) === UNLUCKY;
}
