import { Totals } from '../../../src/engine/builds/verification.js';
import type { Where } from '../../../src/kernel/read-models.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const ORDERS = 'orders@1#1';

/** Returns wrong stored totals and correct counts. */
class Miscounting extends MemoryReadModels {
  off = 0;

  override async count(collection: string, where: Where): Promise<number> {
    return (await super.count(collection, where)) + ('id' in where ? 0 : this.off);
  }
}

async function filledJars() {
  const models = new Miscounting(new ManualClock());
  await models.ensureCollection(ORDERS, { indexes: [] });
  const orders = [1, 2, 3].map((n) => ({
    id: `ord_${n}`,
    business: { id: 'biz_1' },
    _mode: n === 3 ? 'test' : 'live',
  }));
  await models.upsert(
    ORDERS,
    orders.map((document) => ({ id: document.id, position: '1', document })),
  );
  const totals = new Totals([['business.id', '_mode']]);
  for (const order of orders) totals.add(order);
  return { models, totals };
}

describe('The sizes of groups', () => {
  it('are correct when each stored size equals the number of documents', async () => {
    const { models, totals } = await filledJars();
    expect(await totals.findDifferences(ORDERS, models)).toEqual([]);
  });

  it('are reported one by one when they are wrong', async () => {
    const { models, totals } = await filledJars();
    models.off = 7;
    expect(await totals.findDifferences(ORDERS, models)).toEqual([
      { id: 'business.id=biz_1 _mode=live', what: 'is counted wrong' },
      { id: 'business.id=biz_1 _mode=test', what: 'is counted wrong' },
    ]);
  });

  it('are also checked per hour, over all documents with the time', async () => {
    const { models } = await filledJars();
    const totals = new Totals([], [{ group: ['_mode'], times: ['created_at'] }]);
    for (const id of ['ord_4', 'ord_5']) {
      const document = { id, _mode: 'live', created_at: '2026-02-01T09:00:00.000Z' };
      await models.upsert(ORDERS, [{ id, position: '1', document }]);
      totals.add(document);
    }
    expect(await totals.findDifferences(ORDERS, models)).toEqual([]);
    models.off = 1;
    expect(await totals.findDifferences(ORDERS, models)).toEqual([
      { id: '_mode=live by created_at', what: 'is counted wrong' },
    ]);
  });
});
