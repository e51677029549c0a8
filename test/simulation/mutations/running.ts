import { withUpcasting } from '../../../src/engine/upcasting-store.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { CheckedReadModels } from '../checked-read-models.js';
import { Liveness } from '../liveness.js';
import { type Mutation, replaceMethod } from './mutation.js';

const UpcastingStore = withUpcasting(new MemoryEventStore(new ManualClock())).constructor as {
  readonly prototype: object;
};

/** Mutations around operators, releases and processes. */
export const processMutations: readonly Mutation[] = [
  {
    name: 'a process counts as ended while no file descriptor is left',
    foundAt: 2,
    insert: () =>
      replaceMethod(
        Liveness,
        'isKnownDead',
        (liveness: Liveness, isKnownDead, name: string) => liveness.outOfDescriptors || isKnownDead(name),
      ),
  },
  {
    name: 'jobs are restored from a copy, checkpoints are not',
    foundAt: 135,
    insert: () => replaceMethod(CheckedReadModels, 'restoreCopy', () => undefined),
  },
  {
    name: 'older code folds an event of a newer version',
    foundAt: 108,
    insert: () => replaceMethod(UpcastingStore, 'requireKnown', (_, __, event: RecordedEvent) => event),
  },
];
