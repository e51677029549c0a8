import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line.js';
import { createAccessDeniedError } from '../support/eventstoredb/messages.js';
import { ExternalStores, itOnOneNode, ON_EXTERNAL_STORES } from '../support/external-stores/external-stores.js';
import { findFreePort } from '../support/free-port.js';
import { createOwnerKey } from '../support/owner-key.js';
import { Receiver } from '../support/receiver.js';
import { createTempFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { waitFor } from '../webhooks/webhook-fixture.js';

if (!ON_EXTERNAL_STORES)
  process.stderr.write('Skipped on the embedded store: the start and the command line on external stores\n');

(ON_EXTERNAL_STORES ? describe : describe.skip)('A service on external stores', () => {
  let folder: string;
  let stores: ExternalStores;
  let ops: CommandLine;
  beforeEach(async () => {
    folder = await createTempFolder();
    stores = await ExternalStores.open(folder);
    ops = new CommandLine(folder, stores.environment);
  });
  afterEach(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });

  it('creates a business and a key before the first start of a service, which accepts them', async () => {
    const words = 'businesses create --name Acme --owner-sub ann --owner-email ann@example.com';
    const { business } = await ops.runForDocument(words);
    const { secret } = await ops.runForDocument(`keys create --business ${business.id} --mode live --access full`);
    const service = await ServiceProcess.start(folder, stores.environment);
    const { status, body } = await service.createApi(secret).get('/v1/auth/me');
    const listed = await waitFor(async () => {
      const found = await ops.runForDocument('projections list');
      return (found.projections as readonly { active: number | null }[]).every(({ active }) => active !== null)
        ? found
        : null;
    });
    const rebuilt = await ops.run('projections rebuild apiKeys');
    const { events } = await ops.runForDocument('events tail --limit 2');

    expect([status, body.data.business.id]).toEqual([200, business.id]);
    expect(listed.projections.length).toBeGreaterThan(5);
    expect([rebuilt.exitCode, rebuilt.err]).toEqual([0, expect.any(String)]);
    expect(events).toHaveLength(2);
    expect(await service.stop()).toBe(0);
  });

  it('reports in one line that the stores are not reachable', async () => {
    stores.documents.refuseConnections();
    const { exitCode, err } = await ops.run('jobs list');

    expect([exitCode, err.trim().split('\n')]).toEqual([1, [expect.any(String)]]);
    expect(err).not.toContain('    at ');
  });

  it('waits for its stores, is not ready during the wait, and serves as soon as they are reachable', async () => {
    stores.documents.refuseConnections();
    const port = await findFreePort();
    const service = new ServiceProcess(folder, { ...stores.environment, OPS_PORT: String(port) });
    const said = await waitFor(async () => (service.output.includes('waiting for the stores') ? service.output : null));
    const { status, parts } = (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()) as Readiness;
    stores.documents.restore();
    await service.ready;

    expect(said).not.toContain('    at ');
    expect([status, parts.read_models.status]).toEqual(['red', 'red']);
    expect(service.output).not.toContain('sk_live_');
    expect((await service.createApi(null).get('/v1/auth/me')).status).toBe(401);
    expect(await service.stop()).toBe(0);
  });

  it('continues webhooks listen where it stopped', async () => {
    const service = await ServiceProcess.start(folder, stores.environment);
    const receiver = await Receiver.start();
    const key = await createOwnerKey(service);
    const occur = (name: string) => service.createApi(key).post('/v1/commerce/products', { name });
    for (const name of ['First', 'Second']) {
      const listen = ops.start(`webhooks listen --forward-to ${receiver.url('/')} --events product.*`);
      await listen.waitForOutput(/whsec_/);
      await occur(name);
      await listen.waitForOutput(/ 200 /);
      await listen.interrupt();
      await occur(`After ${name}`);
    }
    await Promise.all([receiver.stop(), service.stop()]);

    expect(receiver.requests.map(({ body }) => JSON.parse(body).data.name).slice(0, 2)).toEqual([
      'First',
      'After First',
    ]);
  });

  itOnOneNode('skips and counts foreign events in the same log', async () => {
    const port = await findFreePort();
    const service = await ServiceProcess.start(folder, { ...stores.environment, OPS_PORT: String(port) });
    stores.server.log.appendText('orders-77', 'OrderPlaced', '{}', '');
    stores.server.log.appendText('orders-78', 'OrderPlaced');
    const api = service.createApi(await createOwnerKey(service));
    const created = await api.post('/v1/commerce/products', { name: 'First' });
    const listed = await api.get('/v1/commerce/products');
    const { parts } = (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()) as Readiness;
    expect(await service.stop()).toBe(0);
    const { events } = await ops.runForDocument('events tail --limit 100');
    const { stats } = await ops.runForDocument('events stats');
    const { doctor } = await ops.runForDocument('store doctor');
    // The leases of a stopped service expire a little later.
    const exported = await waitFor(async () => {
      const { exitCode, out } = await ops.run(`store export --out ${join(folder, 'house.ndjson')} --json`);
      return exitCode === 0 ? JSON.parse(out) : null;
    });

    expect([created.status, listed.body.data.length, parts.projections.status]).toEqual([201, 1, 'green']);
    expect([stats.events, stats.foreign]).toEqual([events.length, 2]);
    expect(doctor.parts.log).toEqual({
      status: 'green',
      detail: expect.stringMatching(/; 2 foreign events are skipped$/) as string,
    });
    expect(exported.export.left_behind).toContain('2 events of other applications are not copied');
  });

  itOnOneNode('reports a deleted stream as not found', async () => {
    const service = await ServiceProcess.start(folder, stores.environment);
    const api = service.createApi(await createOwnerKey(service));
    const { id } = (await api.post('/v1/commerce/products', { name: 'First' })).body.data;
    stores.server.log.tombstone(`product-${id}`);
    const { status, body } = await api.patch(`/v1/commerce/products/${id}`, { name: 'Second' });

    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(await service.stop()).toBe(0);
  });

  itOnOneNode('reports in one line the permission that the log denies', async () => {
    stores.server.readFaults.push(...Array.from({ length: 20 }, () => () => refuseConnections()));
    const { exitCode, err } = await ops.run('events stats');

    expect(exitCode).toBe(1);
    expect(err).toMatch(/^EventStoreDB: access denied: the user may not read \$all: .*\n$/);
  });

  it('exits with 78 for an address that the driver cannot use', async () => {
    const MONGODB_URL = `${stores.environment.MONGODB_URL}&pace=slow`;
    await expect(ServiceProcess.start(folder, { ...stores.environment, MONGODB_URL })).rejects.toThrow('(78)');
  });
});

function refuseConnections(): never {
  throw createAccessDeniedError();
}

interface Readiness {
  readonly status: string;
  readonly parts: Readonly<Record<'read_models' | 'projections', { readonly status: string }>>;
}
