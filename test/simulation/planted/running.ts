import { upcasting } from '../../../src/engine/upcasting-store.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { Liveness } from '../liveness.js';
import { WatchedReadModels } from '../watched-read-models.js';
import { replace, type Plant } from './plant.js';

const UpcastingStore = upcasting(new MemoryEventStore(new ManualClock())).constructor as { readonly prototype: object };

/** What operators, releases and machines do to a service that runs. */
export const running: readonly Plant[] = [
  {
    name: 'a process is taken for ended while no descriptor is left',
    foundAt: 5,
    plant: () => replace(Liveness, 'isGone', (liveness: Liveness, isGone, name: string) => liveness.outOfDescriptors || isGone(name)),
  },
  {
    name: 'jobs are brought back from a copy, and checkpoints are not',
    foundAt: 419,
    plant: () => replace(WatchedReadModels, 'bringBack', () => undefined),
  },
  {
    name: 'older code folds an event of newer code as if it knew it',
    foundAt: 256,
    plant: () => replace(UpcastingStore, 'known', (_, __, event: Recorded) => event),
  },
];
