import { SystemClock, SystemRandom, type Clock, type Random } from '../kernel/clock.js';
import type { StoresAt } from './address.js';
import type { Ports } from './ports.js';

/** For how long a page of the log waits for company. Without it nearly each event comes by itself, and is a write of its own. */
const LINGER_MS = 5;

export interface OpenOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Nothing but a new start helps any more. */
  readonly onFatal?: (error: Error) => void;
}

/** Stores elsewhere are asked for the first time when they are used or `reach` is called. @throws WrongAddress */
export async function openStores(at: StoresAt, options: OpenOptions = {}): Promise<Ports> {
  if ('eventStore' in at) return openReal(at, options);
  const { openEmbedded } = await import('./embedded/embedded.js');
  return openEmbedded({ ...options, file: at.file });
}

async function openReal(
  { eventStore, mongodb }: Extract<StoresAt, { eventStore: string }>,
  { clock = new SystemClock(), random = new SystemRandom() }: OpenOptions,
): Promise<Ports> {
  // What one of them brings along is loaded where it is used alone.
  const [{ openEventStoreDb }, { mongoAt }] = await Promise.all([import('./eventstoredb/eventstoredb.js'), import('./mongodb/mongodb.js')]);
  const documents = mongoAt({ url: mongodb, clock });
  const log = openEventStoreDb({ connection: eventStore, clock, random, lingerMs: LINGER_MS });
  return {
    ...documents,
    events: log.events,
    reach: async () => void (await Promise.all([documents.reach(), log.events.head()])),
    durability: async () => `${await documents.durability()}; ${log.durability}`,
    close: async () => void (await Promise.all([log.close(), documents.close()])),
  };
}
