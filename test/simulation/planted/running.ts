import { upcasting } from '../../../src/engine/upcasting-store.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { Liveness } from '../liveness.js';
import { WatchedReadModels } from '../watched-read-models.js';
import { replace, type Plant } from './plant.js';

const UpcastingStore = upcasting(new MemoryEventStore(new ManualClock())).constructor as { readonly prototype: object };

/** Mutations around operators, releases and processes. */
export const running: readonly Plant[] = [
  {
    name: 'a process counts as ended while no file descriptor is left',
    foundAt: 5,
    plant: () => replace(Liveness, 'isGone', (liveness: Liveness, isGone, name: string) => liveness.outOfDescriptors || isGone(name)),
  },
  {
    name: 'jobs are restored from a copy, checkpoints are not',
    foundAt: 419,
    plant: () => replace(WatchedReadModels, 'bringBack', () => undefined),
  },
  {
    name: 'older code folds an event of a newer version',
    foundAt: 256,
    plant: () => replace(UpcastingStore, 'known', (_, __, event: Recorded) => event),
  },
];
