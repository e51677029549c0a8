import { ExportRunner } from '../../../src/audit/exports/export-runner.js';
import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startService } from '../../support/service.js';

const EXPORTS = '/v1/audit/exports';

describe('The exports of a business', () => {
  it('run two at a time in both modes together; another one is refused until one of them has ended', async () => {
    const service = await startService({ AUDIT_EXPORT_LIMIT: '2' });
    const [business, another] = [await service.createBusiness('A', 'A'), await service.createBusiness('B', 'B')];
    const api = service.createApi(await service.createKey(business));
    const tester = service.createApi(await service.createKey(business, { mode: 'test' }));
    const other = service.createApi(await service.createKey(another));
    const runner = service.get(ExportRunner);
    const runStep = runner.runStep.bind(runner);
    const released = Promise.withResolvers<void>();
    runner.runStep = async (...args) => {
      await released.promise;
      return runStep(...args);
    };
    const open = [await api.post(EXPORTS, { format: 'csv' }), await tester.post(EXPORTS, {})];
    const refused = await api.post(EXPORTS, { types: ['ProductCreated'] });
    const alsoRefused = await tester.post(EXPORTS, { types: ['ProductCreated'] });
    const ofOther = await other.post(EXPORTS, {});
    released.resolve();
    await eventually(
      async () => requireData(await api.get(`${EXPORTS}/${requireData(open[0]!).id}`)),
      (found) => found.status === 'completed',
    );
    const next = await api.post(EXPORTS, { types: ['ProductCreated'] });
    const { pagination } = (await api.get(EXPORTS)).body;
    await service.stop();

    expect([...open, ofOther, next].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    for (const { status, body } of [refused, alsoRefused]) expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(pagination.total_count).toBe(2);
  });
});
