import '../../../src/features.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { auditEvents } from '../../../src/audit/projections/audit-events.js';
import { Projector } from '../../../src/engine/projections/projector.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import { buildOf, collectionOf } from '../../../src/kernel/projection.js';
import type { Where } from '../../../src/kernel/read-models.js';
import { CollectionCache } from '../../../src/stores/embedded/collections.js';
import { readSlice } from '../../../src/stores/embedded/slices.js';
import { openStores } from '../../../src/stores/open.js';
import { ExplainedStatements } from '../../support/explained-statements.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { BUSINESS, createChainedEvent } from '../chain/chained-log.js';

const BUILD = buildOf(collectionOf(auditEvents), 1);
const OWNER = { _business: BUSINESS, _mode: 'live' };

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
const file = join(folder, 'store.sqlite');
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const stores = await openStores({ file });
  const { events, models } = stores;
  for (let n = 1; n <= 20; n++) {
    const { id, meta } = createChainedEvent(n);
    const event = { id, meta, type: 'DiscountCreated', data: { discountId: `dsc_${n}`, code: 'a' } };
    await events.append(`discount-dsc_${n}`, 'none', [event]);
  }
  const projector = new Projector(auditEvents, { store: events, readModels: models, clock: new SystemClock() }, BUILD);
  await projector.prepare();
  await projector.handle(await readWholeLog(events));
  await stores.close();
});

function explain(where: Where, ascending: boolean) {
  const sql = new ExplainedStatements(new DatabaseSync(file, { readOnly: true }));
  const collection = new CollectionCache().find(sql, BUILD)!;
  const find = { where: { ...OWNER, ...where }, orderBy: 'position', ascending, limit: 10 };
  const { bodies } = readSlice(sql, collection, find);
  sql.db.close();
  return { count: bodies.length, plans: sql.plans };
}

describe('A query of the change history', () => {
  const filters: readonly [string, Where][] = [
    ['position', {}],
    ['resource.id, position', { 'resource.id': 'dsc_3' }],
    ['actor.id, position', { 'actor.id': 'key_1' }],
    ['type, position', { type: { in: ['DiscountCreated'] } }],
    ['correlation_id, position', { correlation_id: 'req_1' }],
    ['position', { recorded_at: { from: '2026-01-01' }, position: { from: '0000000000000002' } }],
  ];

  it.each(filters.flatMap(([index, where]) => [true, false].map((ascending) => [index, where, ascending] as const)))(
    'reads the index by %s for %j in either direction (ascending: %s)',
    (index, where, ascending) => {
      const { count, plans } = explain(where, ascending);
      expect(count).toBeGreaterThan(0);
      expect(plans.join()).toContain(`INDEX ${BUILD} by _business, _mode, ${index} (`);
      expect(plans.join()).not.toMatch(/SCAN documents|TEMP B-TREE/);
    },
  );
});
