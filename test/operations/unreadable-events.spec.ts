import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Config } from '../../src/config/config.js';
import { Api, requireData } from '../support/api.js';
import { CommandLine } from '../support/command-line.js';
import { ON_EXTERNAL_STORES } from '../support/external-stores/external-stores.js';
import { type Service, startService } from '../support/service.js';
import { waitFor } from '../webhooks/webhook-fixture.js';

const LONG_MS = 120_000;

interface DeadLetter {
  readonly id: string;
  readonly error: string;
  readonly projection: string;
}

if (ON_EXTERNAL_STORES) process.stderr.write('Skipped on external stores: changes of the SQLite file\n');

(ON_EXTERNAL_STORES ? describe.skip : describe)('An event in the log that this release cannot read', () => {
  let service: Service;
  let api: Api;
  let ops: CommandLine;
  let file: DatabaseSync;
  beforeEach(async () => {
    service = await startService();
    api = service.createApi(await service.createKey(await service.createBusiness()));
    ops = new CommandLine(service.dataDir);
    file = new DatabaseSync(join(service.dataDir, 'store.sqlite'), { timeout: 5_000 });
    await createProduct();
  });
  afterEach(async () => {
    file.close();
    await service.stop();
  });

  const createProduct = async () => requireData(await api.post('/v1/commerce/products', { name: 'A course' })).id;

  /** Copies the first event of a product to another stream; returns the position of the copy. */
  function insert(type: string, data: string | null, meta: string | null = null): number {
    const insertion = file.prepare(
      `insert into events (stream, revision, id, type, data, meta)
        select 'product-prod_bad', 0, '00000000-0000-4000-8000-000000000001', ?, coalesce(?, data), coalesce(?, meta)
        from events where type = 'ProductCreated' limit 1`,
    );
    return Number(insertion.run(type, data, meta).lastInsertRowid);
  }

  async function listOfProducts(): Promise<readonly DeadLetter[]> {
    const { dead_letters } = (await ops.runForDocument('dead-letters list')) as { dead_letters: DeadLetter[] };
    return dead_letters.filter(({ projection }) => projection.startsWith('products@'));
  }

  async function readLags(): Promise<readonly number[]> {
    const text = await (await fetch(`${service.running.opsUrl}/metrics`)).text();
    return [...text.matchAll(/^projection_lag_seconds\{.*\} (\S+)$/gm)].map(([, value]) => Number(value));
  }

  it(
    'of newer code makes the lag of every projection rise, also with a clock that was ahead, and the doctor red',
    async () => {
      const projections = (await readLags()).length;
      const position = insert('SomethingNewer', '{}');
      file.exec(
        "update events set meta = json_set(meta, '$.at', '2999-01-01T00:00:00.000Z') where type = 'SomethingNewer'",
      );
      const lags = await waitFor(async () => {
        const all = await readLags();
        return all.length > 0 && all.every((lag) => lag > 1) ? all : null;
      });
      const { exitCode, out, err } = await ops.run('store doctor');

      expect(lags).toHaveLength(projections);
      expect([exitCode, err]).toEqual([1, expect.stringContaining('red: log')]);
      expect(out).toMatch(
        new RegExp(
          `^log +red +SomethingNewer@1 was recorded by a newer version of the service, at position 0*${position}$`,
          'm',
        ),
      );
    },
    LONG_MS,
  );

  it(
    'with data that are not JSON blocks only its own stream, and can be skipped',
    async () => {
      const position = insert('ProductCreated', '{"productId":');
      const later = await createProduct();
      const product = await api.get(`/v1/commerce/products/${String(later)}`);
      const [letter] = await waitFor(async () => {
        const found = await listOfProducts();
        return found.length > 0 ? found : null;
      });
      const doctor = await ops.run('store doctor');
      const operator = new Api(service.running.opsUrl, service.get(Config).opsToken);
      const path = `/ops/dead-letters/${encodeURIComponent(letter!.id)}/skip`;
      const skipped = await operator.post(path, { reason: 'damaged' });

      expect(product.status).toBe(200);
      expect(letter!.error).toMatch(
        new RegExp(
          `product-prod_bad: event 0 \\(ProductCreated\\) at position 0*${position} has data that are not JSON`,
        ),
      );
      expect(doctor.out).toMatch(new RegExp(`^log +red .*at position 0*${position} has data that are not JSON$`, 'm'));
      expect([skipped.status, await listOfProducts()]).toEqual([200, []]);
    },
    LONG_MS,
  );

  it.each([
    ['that are not JSON', '{"at":'],
    ['without their fields', '{}'],
    ['without a version', '{"at":"2026-02-01T09:00:00.000Z","commandId":"c","correlationId":"c","actor":{}}'],
    ['with an invalid time', '{"at":"soon","commandId":"c","correlationId":"c","actor":{},"v":1}'],
  ])(
    'with metadata %s blocks only its own stream, is named, and can be skipped',
    async (_, meta) => {
      const position = insert('ProductCreated', null, meta);
      const later = await createProduct();
      const product = await api.get(`/v1/commerce/products/${String(later)}`);
      const [letter] = await waitFor(async () => {
        const found = await listOfProducts();
        return found.length > 0 ? found : null;
      });
      const tail = (await ops.runForDocument('events tail')) as { events: { position: string; data: object }[] };
      const doctor = await ops.run('store doctor');
      const operator = new Api(service.running.opsUrl, service.get(Config).opsToken);
      const path = `/ops/dead-letters/${encodeURIComponent(letter!.id)}/skip`;
      const skipped = await operator.post(path, { reason: 'damaged' });

      expect(product.status).toBe(200);
      expect(letter!.error).toContain('product-prod_bad: event 0 (ProductCreated)');
      expect(letter!.error).toContain('has no metadata of this service');
      expect(tail.events.find((event) => Number(event.position) === position)).toMatchObject({
        recorded_at: null,
        actor: null,
        data: { unreadable: expect.stringContaining('has no metadata of this service') as string },
      });
      expect(doctor.out).toMatch(
        new RegExp(`^log +red .*at position 0*${position} has no metadata of this service$`, 'm'),
      );
      expect([skipped.status, await listOfProducts()]).toEqual([200, []]);
    },
    LONG_MS,
  );

  it.each([
    ['data', '{"productId":', null],
    ['metadata', null, '{}'],
  ])(
    'because of its %s does not end the exports of a business that it does not belong to',
    async (_, data, meta) => {
      insert('ProductCreated', data, meta);
      const other = service.createApi(await service.createKey(await service.createBusiness()));
      const { id } = requireData(await other.post('/v1/audit/exports', { format: 'ndjson' }));
      const ended = await waitFor(async () => {
        const { data: found } = (await other.get(`/v1/audit/exports/${String(id)}`)).body;
        return found?.status === 'completed' || found?.status === 'failed' ? found : null;
      });

      expect(ended).toMatchObject({ status: 'completed' });
    },
    LONG_MS,
  );
});

(ON_EXTERNAL_STORES ? describe.skip : describe)('store doctor', () => {
  it('is red while a projection has no active build, although a service has run', async () => {
    const service = await startService();
    const file = new DatabaseSync(join(service.dataDir, 'store.sqlite'), { timeout: 5_000 });
    const ops = new CommandLine(service.dataDir);
    const before = await ops.run('store doctor');
    file.exec("delete from catalogue where name like 'products@%'");
    file.close();
    const { exitCode, out } = await ops.run('store doctor');
    await service.stop();

    expect(before.exitCode).toBe(0);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^builds +red +projections without an active build: products@\d+; start the service/m);
  });
});
