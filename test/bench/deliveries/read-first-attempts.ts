import { join } from 'node:path';
import { importBuilt } from '../built.ts';

type Embedded = typeof import('../../../src/stores/embedded/embedded.js');
type RecordedEvent = import('../../../src/kernel/event.js').RecordedEvent;

interface AttemptFacts {
  readonly attempt: number;
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly facts?: { readonly endpointId: string; readonly eventId: string };
}

const PAGE = 5_000;

/**
 * Reads the log of a running service. Counts the successes on the first attempt after the given number, and the first
 * attempts of each endpoint that started after the attempt of a later event.
 */
export async function readFirstAttempts(dataDir: string, after: number) {
  const events = await readEvents(dataDir);
  const places = new Map<string, number>();
  const lastPlaces = new Map<string, number>();
  const chains = new Map<string, { readonly endpointId: string; readonly eventId: string }>();
  let [succeeded, outOfOrder] = [0, 0];
  for (const { type, stream, data } of events) {
    const { attempt, facts, endpointId, eventId } = data as AttemptFacts;
    if (type === 'PublicEventRecorded') places.set(eventId!, places.size);
    if (type === 'DeliveryChainPlanned') chains.set(stream, { endpointId: endpointId!, eventId: eventId! });
    if (type === 'AttemptSucceeded' && attempt === 1) succeeded++;
    if (type !== 'AttemptStarted' || attempt !== 1) continue;
    const chain = facts ?? chains.get(stream)!;
    const [place, last] = [places.get(chain.eventId)!, lastPlaces.get(chain.endpointId) ?? -1];
    if (place < last) outOfOrder++;
    lastPlaces.set(chain.endpointId, Math.max(place, last));
  }
  return { onFirstAttempt: succeeded - after, outOfOrder };
}

async function readEvents(dataDir: string): Promise<RecordedEvent[]> {
  const { openEmbedded } = await importBuilt<Embedded>('stores/embedded/embedded.js');
  const stores = await openEmbedded({ file: join(dataDir, 'store.sqlite') });
  const events: RecordedEvent[] = [];
  for (let position = ''; ;) {
    const page = await stores.events.readAll({ after: position, limit: PAGE });
    events.push(...page.events);
    if (page.caughtUp) break;
    position = page.next;
  }
  await stores.close();
  return events;
}
