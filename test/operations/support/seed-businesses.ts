import { join } from 'node:path';
import type { NewEvent } from '../../../src/kernel/event.js';
import { openEmbedded } from '../../../src/stores/embedded/embedded.js';
import { createEvent } from '../../support/jar.js';

const BATCH_SIZE = 500;

/** Appends businesses to the log of a data folder, one event each. A rebuild of many businesses takes some time. */
export async function seedBusinesses(dataDir: string, businesses: number): Promise<void> {
  const events = Array.from({ length: businesses }, (_, i) => newBusinessCreated(i));
  await appendEvents(dataDir, 'business-many', events);
}

/** Appends to a new stream. Other processes may have the store open. */
export async function appendEvents(dataDir: string, stream: string, events: readonly NewEvent[]): Promise<void> {
  const stores = await openEmbedded({ file: join(dataDir, 'store.sqlite') });
  for (let first = 0; first < events.length; first += BATCH_SIZE) {
    await stores.events.append(stream, first === 0 ? 'none' : first - 1, events.slice(first, first + BATCH_SIZE));
  }
  await stores.close();
}

function newBusinessCreated(i: number): NewEvent {
  return createEvent(`business ${i}`, 'BusinessCreated', {
    businessId: `biz_${i}`,
    name: `Business ${i}`,
    ownerId: 'usr_1',
  });
}
