import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Probe, ProbeModule } from './http/support/probe.js';
import { startService } from './support/service.js';
import { ServiceProcess } from './support/service-process.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('The first start on an empty store', () => {
  it('prints working keys once, a command that uses the test one, and the next steps', async () => {
    const first = await ServiceProcess.start(directory);
    const { status, body } = await first.createApi(first.firstKey).get('/v1/auth/me');
    const { body: test } = await first.createApi(first.firstTestKey).get('/v1/auth/me');
    await first.stop();
    const second = await ServiceProcess.start(directory);
    const again = await second.createApi(first.firstKey).get('/v1/auth/me');
    await second.stop();

    expect([status, body.data]).toMatchObject([
      200,
      { mode: 'live', access: 'full', business: { object: 'business' } },
    ]);
    expect(first.output).toContain(`curl -s ${first.url}/v1/auth/me -H 'Authorization: Bearer ${first.firstTestKey}'`);
    expect([first.firstKey, first.firstTestKey].map((key) => first.output.split(key).length - 1)).toEqual([1, 2]);
    expect(test.data).toMatchObject({ mode: 'test', access: 'full' });
    expect(first.output).toContain(`${first.url}/docs/guides`);
    expect(first.output).toContain(`${first.url}/console`);
    expect(first.output).toContain('/health/ready');
    expect(first.output).toContain('webhooks listen');
    expect(again.status).toBe(200);
    expect(second.output).not.toMatch(/sk_(live|test)_/);
  });

  it('creates no business when an identity provider assigns the subject of its owner', async () => {
    const service = await ServiceProcess.start(directory, {
      SESSION_JWKS: 'http://127.0.0.1:1/keys',
      SESSION_ISSUER: 'https://login.example.com/',
      SESSION_AUDIENCE: 'https://api.example.com',
    });
    await service.stop();

    expect(service.output).toContain('npm run ops -- businesses create --name NAME --owner-sub SUB');
    expect(service.output).not.toMatch(/sk_(live|test)_/);
  });

  it('creates one business when several processes start together', async () => {
    const both = await Promise.all([ServiceProcess.start(directory), ServiceProcess.start(directory)]);
    await Promise.all(both.map((service) => service.stop()));

    expect(both.filter(({ output }) => output.includes('sk_live_'))).toHaveLength(1);
  });

  it('exits with 78 when the configuration is wrong', async () => {
    await expect(ServiceProcess.start(directory, { PORT: 'x' })).rejects.toThrow('(78)');
  });
});

describe('The shutdown of a process', () => {
  it('waits for requests in flight, refuses new ones, and does not wait for idle connections', async () => {
    const service = await startService({}, [ProbeModule]);
    const api = service.createApi(await service.createKey(await service.createBusiness()));
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.get(Probe).next = () => {
      started.resolve();
      return gate.promise;
    };
    const { hostname, port } = new URL(service.url);
    const silent = connect(Number(port), hostname);
    const inFlight = api.post('/v1/commerce/probes', { name: 'a' });
    await started.promise;
    const stopped = service.stop();
    const ready = await fetch(`${service.running.opsUrl}/health/ready`);
    gate.resolve();

    expect(ready.status).toBe(503);
    expect((await inFlight).status).toBe(201);
    await stopped;
    silent.destroy();
    await expect(api.get('/v1/auth/me')).rejects.toThrow();
  });
});

describe('The health endpoint', () => {
  it('reports liveness, and readiness for each part', async () => {
    const service = await startService();
    const [live, ready] = await Promise.all(
      ['live', 'ready'].map((path) => fetch(`${service.running.opsUrl}/health/${path}`)),
    );
    const { status, parts } = (await ready!.json()) as {
      status: string;
      parts: Record<string, { status: string; detail: string }>;
    };
    const unknown = await fetch(`${service.running.opsUrl}/nothing`);
    await service.stop();

    expect([live!.status, ready!.status, status, unknown.status]).toEqual([200, 200, 'green', 404]);
    expect(Object.keys(parts)).toEqual(
      expect.arrayContaining([
        'event_store',
        'read_models',
        'jobs',
        'idempotency',
        'vault',
        'durability',
        'projections',
        'disk',
        'connections',
      ]),
    );
    for (const part of Object.values(parts))
      expect(part).toEqual({ status: 'green', detail: expect.any(String) as string });
  });
});
