import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { importBuilt } from '../built.ts';

type Embedded = typeof import('../../../src/stores/embedded/embedded.js');
type PublicEvent = import('../../../src/webhooks/domain/public-event.js').PublicEvent;

const TYPE = 'product.review_requested';

/** Records undelivered public events directly in the store of a running service. */
export async function recordPublicEvents(
  dataDir: string,
  businessId: string,
  count: number,
  data: object,
): Promise<void> {
  const { openEmbedded } = await importBuilt<Embedded>('stores/embedded/embedded.js');
  const stores = await openEmbedded({ file: join(dataDir, 'store.sqlite') });
  await Promise.all(Array.from({ length: count }, () => stores.events.append(...createPublicEvent(businessId, data))));
  await stores.close();
}

function createPublicEvent(businessId: string, data: object) {
  const at = new Date().toISOString();
  const id = randomUUID();
  const eventId = `evt_${id.replaceAll('-', '').slice(0, 26)}`;
  const event: PublicEvent = {
    eventId,
    type: TYPE,
    version: '1',
    occurredAt: at,
    sequence: 1,
    businessId,
    mode: 'live',
    data,
    changes: null,
  };
  const actor = { type: 'system', id: 'publish-events' } as const;
  const cause = {
    command: 'RecordPublicEvent',
    commandId: id,
    correlationId: id,
    causationId: id,
    actor,
    business: businessId,
  };
  const meta = { at, ...cause, mode: 'live', requestId: null, v: 1 } as const;
  return [`publicEvent-${eventId}`, 'none', [{ id, type: 'PublicEventRecorded', data: event, meta }]] as const;
}
