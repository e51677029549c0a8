import { join } from 'node:path';
import type { NewEvent } from '../../../src/kernel/event.js';
import { openEmbedded } from '../../../src/stores/embedded/embedded.js';
import { happened } from '../../support/jar.js';

const AT_ONCE = 500;

/** Appends businesses to the log of a data folder, one event each. A rebuild of many businesses takes some time. */
export async function fill(dataDir: string, businesses: number): Promise<void> {
  const all = Array.from({ length: businesses }, (_, i) => business(i));
  await append(dataDir, 'business-many', all);
}

/** Appends to a new stream. Other processes may have the store open. */
export async function append(dataDir: string, stream: string, events: readonly NewEvent[]): Promise<void> {
  const stores = await openEmbedded({ file: join(dataDir, 'store.sqlite') });
  for (let first = 0; first < events.length; first += AT_ONCE) {
    await stores.events.append(stream, first === 0 ? 'none' : first - 1, events.slice(first, first + AT_ONCE));
  }
  await stores.close();
}

function business(i: number): NewEvent {
  return happened(`business ${i}`, 'BusinessCreated', { businessId: `biz_${i}`, name: `Business ${i}`, ownerId: 'usr_1' });
}
