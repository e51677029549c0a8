import { Builds } from '../../src/engine/builds/builds.js';
import { addMs } from '../../src/kernel/clock.js';
import { ReadModels, type Row } from '../../src/kernel/read-models.js';
import { MAX_MATCHED } from '../../src/webhooks/domain/replay-job.js';
import { undeliveredChains } from '../../src/webhooks/projections/undelivered-chains.js';
import type { Service } from '../support/service.js';

const ROWS_AT_ONCE = 1_000;

/**
 * Stores one chain more than a replay job may have, on one day. Writes the documents directly, because real deliveries
 * take minutes.
 */
export async function seedTooManyChains(service: Service, businessId: string, day: string): Promise<void> {
  const build = await service.get(Builds).read(undeliveredChains, (name) => Promise.resolve(name));
  for (let first = 0; first <= MAX_MATCHED; first += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, MAX_MATCHED + 1 - first);
    await service.get(ReadModels).upsert(
      build,
      Array.from({ length: count }, (_, i) => toRow(first + i, businessId, day)),
    );
  }
}

function toRow(number: number, businessId: string, day: string): Row {
  const at = addMs(`${day}T00:00:00.000Z`, number);
  const id = String(number).padStart(22, '0');
  const document = {
    id,
    endpoint_id: 'whs_1',
    event_type: 'offer.sent',
    status: 'failed',
    attempt: 1,
    max_attempts: 20,
    occurred_at: at,
    at,
  };
  return { id, position: '1', document: { ...document, _business: businessId, _mode: 'live' } };
}
