import { Projector } from '../../../src/engine/projections/projector.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { type CoinsAdded, type JarDocument, jars } from '../../support/jar.js';
import type { TestCluster } from '../../support/memory/test-cluster.js';

export const BUILD = 'jars@1#1';
export const JARS = ['a', 'b', 'c'] as const;
export const SHARED = 'shared';
/** No document takes an event with these coins before the code is fixed. */
export const REFUSED = 13;
/** The shared document refuses these coins, and the jars take them. */
export const REFUSED_BY_SHARED = 17;
/** The documents of such an event are unknown before the code is fixed. */
export const UNREADABLE = 99;

interface HasFix {
  readonly isFixed: boolean;
}

/** A process that follows the build from its own place in the log. */
export class JarFollower {
  isFixed = false;
  place = 0;
  projector: Projector<JarDocument>;

  /** @param reading whether the code of all processes can read every event */
  constructor(
    private readonly cluster: TestCluster,
    private readonly reading: { isFixed: boolean },
  ) {
    this.projector = this.createProjector();
  }

  restart(place: number): void {
    this.place = place;
    this.projector = this.createProjector();
  }

  private createProjector(): Projector<JarDocument> {
    const { store, readModels, clock } = this.cluster;
    return new Projector(createSharedJars(this, this.reading), { store, readModels, clock }, BUILD);
  }
}

function createSharedJars(folding: HasFix, reading: HasFix): Projection<JarDocument> {
  return {
    ...jars,
    id({ data }) {
      const { jarId, coins } = data as CoinsAdded['data'];
      if (coins === UNREADABLE && !reading.isFixed) throw new Error('unreadable');
      return [jarId, SHARED];
    },
    on: {
      CoinsAdded(document, event, id) {
        const { coins } = event.data;
        const isRefused = coins === REFUSED || (coins === REFUSED_BY_SHARED && id === SHARED);
        if (isRefused && !folding.isFixed) throw new Error('refused');
        return { ...jars.on.CoinsAdded!(document, event, id)!, id };
      },
    },
  };
}
