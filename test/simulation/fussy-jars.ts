import type { Recorded } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import { jars, type JarDocument } from '../support/jar.js';

/** The projection's first code fails on an event with this number of coins. */
export const UNLUCKY = 13;

const NAME = 'fussyJars';

/** Returns a jars projection that fails on this number of coins as long as `isFixed` returns false. */
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
