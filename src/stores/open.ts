import { type Clock, type Random, SystemClock, SystemRandom } from '../kernel/clock.js';
import type { Ports } from './ports.js';
import type { StoreLocation } from './store-url.js';

/**
 * How long a page of the log waits for more events. Without the wait, consumers would write once for nearly every
 * event.
 */
const LINGER_MS = 5;

export interface OpenOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Called when only a restart of the process can help. */
  readonly onFatal?: (error: Error) => void;
}

/** Opens the stores. External stores are contacted only when they are used or checked. @throws InvalidStoreUrl */
export async function openStores(at: StoreLocation, options: OpenOptions = {}): Promise<Ports> {
  if ('eventStore' in at) return openExternal(at, options);
  const { openEmbedded } = await import('./embedded/embedded.js');
  return openEmbedded({ ...options, file: at.file });
}

async function openExternal(
  { eventStore, mongodb }: Extract<StoreLocation, { eventStore: string }>,
  { clock = new SystemClock(), random = new SystemRandom() }: OpenOptions,
): Promise<Ports> {
  // The drivers are loaded only with external stores.
  const [{ openEventStoreDb }, { createMongo }] = await Promise.all([
    import('./eventstoredb/eventstoredb.js'),
    import('./mongodb/mongodb.js'),
  ]);
  const documents = createMongo({ url: mongodb, clock });
  const log = openEventStoreDb({ connection: eventStore, clock, random, lingerMs: LINGER_MS });
  return {
    ...documents,
    events: log.events,
    ensureReady: async () => void (await Promise.all([documents.ensureReady(), log.events.readHead()])),
    checkDurability: async () => `${await documents.checkDurability()}; ${log.durability}`,
    close: async () => void (await Promise.all([log.close(), documents.close()])),
  };
}
