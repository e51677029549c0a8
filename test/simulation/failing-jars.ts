import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import { type JarDocument, jars } from '../support/jar.js';

/** The projection's first code fails on an event with this number of coins. */
export const FAILING_COINS = 13;

const NAME = 'failingJars';

/** Returns a jars projection that fails on this number of coins as long as `isFixed` returns false. */
export function createFailingJars(isFixed: () => boolean, of = jars): Projection<JarDocument> {
  return {
    ...of,
    name: NAME,
    on: {
      ...of.on,
      CoinsAdded: (document, event, id) => {
        if (hasFailingCoins(event) && !isFixed()) throw new Error('thirteen coins at once');
        return of.on.CoinsAdded!(document, event, id);
      },
    },
  };
}

export function isFailingJars({ name }: Pick<Projection<object>, 'name'>): boolean {
  return name === NAME;
}

function hasFailingCoins({ data }: Pick<RecordedEvent, 'data'>): boolean {
  return Number((data as { readonly coins?: unknown }).coins) === FAILING_COINS;
}
