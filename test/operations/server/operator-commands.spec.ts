import { Config } from '../../../src/config/config.js';
import type { ProjectionStatus } from '../../../src/engine/builds/status.js';
import { createFailure, type DeadLetter, toWaiting } from '../../../src/engine/projections/dead-letter.js';
import { DEAD_LETTERS } from '../../../src/engine/projections/dead-letters.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { Api, requireData } from '../../support/api.js';
import { CommandLine } from '../../support/command-line.js';
import { createEvent } from '../../support/jar.js';
import { type Service, startService } from '../../support/service.js';
import { waitFor } from '../../webhooks/webhook-fixture.js';

const DUE = '2026-02-01T09:00:00.000Z';
const MINUTE_MS = 60_000;

let service: Service;
let ops: Api;
beforeAll(async () => {
  service = await startService();
  ops = new Api(service.running.opsUrl, service.get(Config).opsToken);
  const api = service.createApi(await service.createKey(await service.createBusiness()));
  for (const name of ['One', 'Two']) requireData(await api.post('/v1/commerce/products', { name }));
});
afterAll(() => service.stop());

const readStatus = async (name = 'products'): Promise<ProjectionStatus> =>
  (await ops.get(`/ops/projections/${name}`)).body.projection as ProjectionStatus;

describe('A command of an operator over HTTP', () => {
  it('needs the token, on loopback too', async () => {
    for (const path of ['/ops/projections', '/ops/jobs', '/ops/dead-letters', '/ops/nothing']) {
      expect((await new Api(service.running.opsUrl).get(path)).status).toBe(401);
      expect((await new Api(service.running.opsUrl, 'another').get(path)).status).toBe(401);
    }
    expect((await new Api(service.running.opsUrl).get('/%6Fps/jobs')).status).toBe(401);
  });

  it.each([
    ['GET', '/ops/nothing', undefined, 404, 'not_found'],
    ['GET', '/ops/projections/nothing', undefined, 404, 'not_found'],
    ['GET', '/ops/jobs/nothing', undefined, 404, 'not_found'],
    ['GET', '/ops/jobs/%zz', undefined, 404, 'not_found'],
    ['POST', '/ops/dead-letters/nothing/retry', undefined, 404, 'not_found'],
    ['DELETE', '/ops/jobs', undefined, 405, 'method_not_allowed'],
    ['GET', '/ops/jobs?limit=0', undefined, 400, 'invalid_parameter'],
    ['GET', '/ops/jobs?status=asleep', undefined, 400, 'invalid_parameter'],
    ['GET', '/ops/jobs?size=1', undefined, 400, 'invalid_parameter'],
    ['POST', '/ops/projections/products/rebuild', { swich: true }, 422, 'unknown_parameter'],
    ['POST', '/ops/projections/products/verify', { sample: [1] }, 422, 'validation_failed'],
    ['POST', '/ops/projections/products/verify', [], 422, 'validation_failed'],
    ['POST', '/ops/dead-letters/nothing/skip', {}, 422, 'validation_failed'],
    ['POST', '/ops/projections/orders/rollback', undefined, 409, 'operation_refused'],
  ])('is refused with a problem: %s %s %j', async (method, path, body, status, code) => {
    const answer = await ops.send(method, path, body);

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is refused when its body is not JSON or too large', async () => {
    const path = '/ops/projections/products/verify';

    expect((await ops.sendText('POST', path, '{', {})).body.code).toBe('invalid_json');
    expect((await ops.post(path, { sample: 'x'.repeat(20_000) })).body.code).toBe('payload_too_large');
  });
});

describe('The projections of the operations port', () => {
  it('are listed with their builds', async () => {
    const { projections } = (await ops.get('/ops/projections')).body;
    const status = await readStatus();

    // The build moves on between the two responses.
    const builds = status.builds.map(({ n, name }) => expect.objectContaining({ n, name }) as object);
    expect(projections).toContainEqual({ ...status, builds });
    expect(status).toMatchObject({ current: true, paused: false, builds: [{ n: 1, status: 'active' }] });
  });

  it('are those of the command line', async () => {
    const names = ({ projections }: { projections: ProjectionStatus[] }) => projections.map(({ name }) => name);
    const printed = await new CommandLine(service.dataDir).runForDocument('projections list');

    expect(names(printed)).toEqual(names((await ops.get('/ops/projections')).body));
  });

  it('are rebuilt in the background, switched and rolled back', async () => {
    const { active: first } = await readStatus();
    const { status, body } = await ops.post('/ops/projections/products/rebuild');
    const rebuild = await waitFor(async () => {
      const state = (await ops.get('/ops/projections/products')).body.rebuild;
      return state.status === 'running' ? null : state;
    });
    const { active: second } = await readStatus();

    expect([status, body.rebuild.error]).toEqual([202, null]);
    expect(rebuild).toMatchObject({ status: 'completed', events: expect.any(Number) as number, error: null });
    expect(second).toBe(first!.replace('#1', '#2'));
    expect((await ops.post('/ops/projections/products/rollback')).body).toEqual({ active: first });
    expect((await ops.post('/ops/projections/products/switch', { build: 2 })).body).toEqual({ active: second });
    expect((await ops.post('/ops/projections/products/switch', { build: 2 })).status).toBe(409);
  });

  it('are not rebuilt twice at the same time', async () => {
    const { name } = await readStatus('orders');
    await service.get(Leases).acquireLease(`build:${name}#2`, 'another process', MINUTE_MS);
    const { status, body } = await ops.post('/ops/projections/orders/rebuild');
    await service.get(Leases).releaseLease(`build:${name}#2`, 'another process');

    expect([status, body.detail]).toEqual([409, `another process works on ${name}#2`]);
    expect((await ops.get('/ops/projections/orders')).body.rebuild).toBeNull();
  });

  it('are paused, resumed and verified', async () => {
    expect((await ops.post('/ops/projections/products/pause')).body.projection.paused).toBe(true);
    expect((await ops.post('/ops/projections/products/resume')).body.projection.paused).toBe(false);
    expect((await ops.post('/ops/projections/products/verify', { sample: 10 })).body.verification).toMatchObject({
      documents: 2,
      differences: [],
    });
  });
});

describe('The jobs of the operations port', () => {
  const newJob = (key: string) => ({ key, queue: 'chores', due: DUE, data: {} });

  it('are listed, retried and cancelled', async () => {
    const jobs = service.get(Jobs);
    await jobs.enqueue([newJob('dust')]);
    const [claimed] = await jobs.claim('chores', { limit: 1, leaseMs: MINUTE_MS, holder: 'tester' });
    await jobs.enqueue([newJob('sweep:1')]);
    const refused = await ops.post('/ops/jobs/dust/cancel');
    await jobs.park(claimed!, 'a broom broke');
    const listed = (await ops.get('/ops/jobs?queue=chores&status=parked&limit=5')).body;
    const retried = await ops.post('/ops/jobs/dust/retry');
    const cancelled = await ops.post(`/ops/jobs/${encodeURIComponent('sweep:1')}/cancel`);

    expect([refused.status, refused.body.code]).toEqual([409, 'operation_refused']);
    expect(listed.jobs).toMatchObject([{ key: 'dust', status: 'parked', error: 'a broom broke' }]);
    expect(retried.body.job).toMatchObject({ key: 'dust', status: 'waiting', failures: 0 });
    expect(cancelled.body.job).toMatchObject({ key: 'sweep:1' });
    expect((await ops.get('/ops/jobs/dust')).body.job).toMatchObject({ key: 'dust' });
    expect((await ops.get('/ops/jobs/sweep:1')).status).toBe(404);
  });
});

describe('The dead letters of the operations port', () => {
  it('are listed, retried, and skipped with a reason', async () => {
    const bad = createEvent('bad', 'ProductCreated', { productId: 'prod_bad' });
    await service.get(EventStore).append('product-prod_bad', 'none', [bad]);
    const letter = await waitFor(
      async () => (await ops.get('/ops/dead-letters?projection=products')).body.dead_letters[0] ?? null,
    );
    const path = `/ops/dead-letters/${encodeURIComponent(letter.id)}`;
    const retried = await ops.post(`${path}/retry`);
    const skipped = await ops.post(`${path}/skip`, { reason: 'never was a product' });

    expect((letter as { error: string }).error).not.toBe('');
    expect([retried.status, retried.body.code]).toEqual([409, 'operation_refused']);
    expect(skipped.body).toEqual({ dead_letter: null, status: 'skipped' });
    expect((await ops.get(path)).status).toBe(404);
  });

  it('are a failed event with the later events that wait for it, of which each is skipped once it fails', async () => {
    const events = [1, 2, 3].map((n) => createEvent(`worse ${n}`, 'ProductCreated', { productId: 'prod_worse' }));
    await service.get(EventStore).append('product-prod_worse', 'none', events);
    const list = async () =>
      ((await ops.get('/ops/dead-letters?projection=products')).body.dead_letters as DeadLetter[]).filter(
        ({ document }) => document === 'prod_worse',
      );
    const failed = await waitFor(async () => (await list())[0] ?? null);
    const skipped = [];
    for (let n = 0; n < events.length; n++) {
      const path = `/ops/dead-letters/${encodeURIComponent((await list())[0]!.id)}/skip`;
      skipped.push(await ops.post(path, { reason: 'never was a product' }));
    }

    expect(failed).toMatchObject({ revision: 0, events: 3, blocking: true });
    expect(skipped.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await list()).toEqual([]);
  });

  it('include events whose earlier one was folded elsewhere, which cannot be skipped', async () => {
    const block = { projection: 'lost@1#1', document: 'lost' };
    const place = { stream: 'lost-1', revision: 1, id: 'e1', position: '1', type: 'Lost' };
    const waiting = toWaiting(createFailure(block, place, new Error('lost'), DUE));
    const row = { id: waiting.id, position: waiting.to_position, document: waiting };
    await service.get(ReadModels).upsert(DEAD_LETTERS, [row]);
    const path = `/ops/dead-letters/${encodeURIComponent(waiting.id)}`;
    const refused = await ops.post(`${path}/skip`, { reason: 'is lost' });

    expect([refused.status, refused.body.code]).toEqual([409, 'operation_refused']);
    expect((await ops.get(path)).body.dead_letter).toEqual(waiting);
  });
});
