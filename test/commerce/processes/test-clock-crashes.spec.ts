import type { ApiResponse } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService, startServiceOn } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { CommerceFixture } from '../commerce-fixture.js';

const START = '2030-01-31T09:00:00.000Z';
const LATER = '2030-03-01T09:00:00.000Z';
const SALES = 6;

describe('A request that sets the test clock', () => {
  let service: Service;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    const business = await service.createBusiness();
    key = await service.createKey(business, { mode: 'test' });
    const seller = await CommerceFixture.createFor(service, business.id, key);
    await seller.api.put('/v1/commerce/test-clock', { now: START });
    const course = await seller.createApprovedProduct();
    for (let n = 0; n < SALES; n++) await seller.checkOut((await seller.createCart([course])).id, 'tok_pending');
    await service.running.close();
  });
  afterAll(() => service.stop());

  it('continues where kill −9 has interrupted it, and runs nothing twice', async () => {
    for (const crashAt of ['before-append:9', 'after-append-before-answer:15']) {
      const dying = await ServiceProcess.start(service.dataDir, { CRASH_AT: crashAt });
      // The first request is interrupted. The job that goes on crashes too.
      await setClock(dying).catch(() => undefined);
      expect(await dying.waitForExit()).toBe('SIGKILL');
    }
    const survivor = await startServiceOn(service.dataDir);
    const api = survivor.createApi(key);
    const readClock = async () => (await api.get('/v1/commerce/test-clock')).body.data;
    expect(await eventually(readClock, ({ status }) => status === 'ready')).toMatchObject({ now: LATER, target: null });
    expect((await setClock(survivor)).status).toBe(200);

    const read = async (path: string) => (await survivor.createApi(key).get(`/v1/commerce/${path}`)).body.data;
    const payments = await read('payments');
    expect(payments.map(({ status, cash_flow_at: at }: Record<string, string>) => [status, at])).toEqual(
      Array(SALES).fill(['succeeded', '2030-02-07T10:00:00.000Z']),
    );
    const numbers = (await read('invoices')).map(({ number }: { number: string }) => number).sort();
    expect(numbers).toEqual(Array.from({ length: SALES }, (_, n) => `2030-00000${n + 1}`));
    await survivor.close();
  });

  function setClock(at: Service | ServiceProcess): Promise<ApiResponse> {
    return at.createApi(key).put('/v1/commerce/test-clock', { now: LATER });
  }
});
