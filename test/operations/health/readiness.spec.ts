import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readiness } from '../../../src/operations/health/health.js';
import { type Api, requireData } from '../../support/api.js';
import { ON_EXTERNAL_STORES } from '../../support/external-stores/external-stores.js';
import { type Service, startService } from '../../support/service.js';
import { waitFor } from '../../webhooks/webhook-fixture.js';

const PARTS = [
  'event_store',
  'read_models',
  'jobs',
  'idempotency',
  'vault',
  'durability',
  'projections',
  'disk',
  'connections',
  'payments',
];

if (ON_EXTERNAL_STORES)
  process.stderr.write('Skipped on external stores: readiness during faults of the SQLite file\n');

(ON_EXTERNAL_STORES ? describe.skip : describe)('Readiness', () => {
  let service: Service;
  let api: Api;
  let file: DatabaseSync;
  beforeAll(async () => {
    service = await startService();
    api = service.createApi(await service.createKey(await service.createBusiness()));
    file = new DatabaseSync(join(service.dataDir, 'store.sqlite'), { timeout: 5_000 });
  });
  afterAll(async () => {
    file.close();
    await service.stop();
  });

  const read = async (): Promise<Readiness & { readonly code: number }> => {
    const answer = await fetch(`${service.running.opsUrl}/health/ready`);
    return { ...((await answer.json()) as Readiness), code: answer.status };
  };
  const waitForGreen = () =>
    waitFor(async () => {
      const readiness = await read();
      return readiness.status === 'green' ? readiness : null;
    });
  const waitForRed = (part: string) =>
    waitFor(async () => {
      const readiness = await read();
      return readiness.parts[part]!.status === 'red' ? readiness : null;
    });
  /** Makes a table disappear from the file, as far as the service can see. */
  const rename = (from: string, to: string) => file.exec(`alter table "${from}" rename to "${to}"`);

  it('names each part, with its status and detail', async () => {
    const { parts, status, code } = await waitForGreen();

    expect(Object.keys(parts)).toEqual(PARTS);
    expect([status, code]).toEqual(['green', 200]);
    expect(Object.values(parts)).toEqual(
      PARTS.map(() => ({ status: 'green', detail: expect.stringMatching(/./) as string })),
    );
  });

  it.each([
    ['event_store', 'events'],
    ['read_models', 'catalogue'],
    ['jobs', 'jobs'],
    ['idempotency', 'idempotency'],
    ['vault', 'vault'],
  ])('is red while the %s cannot be used, and green again afterwards', async (part, table) => {
    rename(table, 'lost');
    const { code, status, parts } = await read();
    rename('lost', table);

    expect([code, status, parts[part]!.status]).toEqual([503, 'red', 'red']);
    expect((await waitForGreen()).code).toBe(200);
  });

  it.each(['idempotency', 'durability'])('shows %s red while another process locks the file', async (part) => {
    file.exec('begin immediate');
    const { code, parts } = await read();
    file.exec('rollback');

    expect([code, parts[part]!.detail]).toEqual([503, expect.stringMatching(/^no response within \d+ ms$/)]);
    await waitForGreen();
  });

  it('shows projections red while one of them cannot store its documents, and catches up afterwards', async () => {
    const product = requireData(await api.post('/v1/commerce/products', { name: 'First' }));
    await api.get(`/v1/commerce/products/${product.id}`);
    const [{ name }] = file
      .prepare("select name from sqlite_master where type = 'table' and name like 'documents of products@%'")
      .all() as [{ name: string }];
    rename(name, 'lost');
    const created = requireData(await api.post('/v1/commerce/products', { name: 'Second' }));
    // The projection fails when it gets the event; the other faults show in the first answer after them.
    const { parts } = await waitForRed('projections');
    rename('lost', name);
    await waitForGreen();

    expect(parts.projections!.detail).toContain('products@');
    expect((await api.get(`/v1/commerce/products/${created.id}`)).status).toBe(200);
  });
});

(ON_EXTERNAL_STORES ? describe.skip : describe)('Readiness on a full disk', () => {
  it('is red when less space is free than MIN_FREE_DISK_MB', async () => {
    const service = await startService({ MIN_FREE_DISK_MB: '1000000000' });
    const answer = await fetch(`${service.running.opsUrl}/health/ready`);
    const { parts } = (await answer.json()) as Readiness;
    await service.stop();

    expect(answer.status).toBe(503);
    expect(parts.disk).toEqual({ status: 'red', detail: expect.stringMatching(/ GB free$/) as string });
  });
});
