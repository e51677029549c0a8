import { rm } from 'node:fs/promises';
import { requireData } from '../../support/api.js';
import { EventReader } from '../../support/event-reader.js';
import {
  createTempFolder,
  type Service,
  startService,
  startServiceOn,
  type TestBusiness,
} from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

const PATH = '/v1/webhooks/events/stream';

const open = (url: string, token: string, headers: Record<string, string> = {}) =>
  EventReader.open(url + PATH, { authorization: `Bearer ${token}`, ...headers });

describe('An event stream', () => {
  let service: Service;
  let business: TestBusiness;
  beforeAll(async () => {
    service = await startService();
    business = await service.createBusiness();
  });
  afterAll(() => service.stop());

  it('ends when its key is revoked', async () => {
    const owner = service
      .createApi(await service.signToken(business.ownerSubject))
      .withHeaders({ 'x-service-business-id': business.id });
    const { id, secret } = requireData(
      await owner.post('/v1/auth/api-keys', { name: 'A key', mode: 'live', access: 'read_only' }),
    );
    const otherKey = await service.createKey(business);
    const [revoked, other] = [await open(service.url, secret), await open(service.url, otherKey)];
    await owner.delete(`/v1/auth/api-keys/${id}`);
    await revoked.ended;
    requireData(await owner.post('/v1/commerce/products', { name: 'A course' }));
    await other.waitFor(1);
    await other.cut();

    expect(revoked.messages.filter(({ event }) => !event.startsWith('api_key.'))).toEqual([]);
  });

  it('ends at the end of its session token', async () => {
    const token = await service.signToken(business.ownerSubject, { expiresInSeconds: 2 });
    const reader = await open(service.url, token, { 'x-service-business-id': business.id });
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number };
    await reader.ended;

    expect(reader.response.status).toBe(200);
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
  });

  it('ends when the service shuts down', async () => {
    const own = await startService();
    const reader = await open(own.url, await own.createKey(await own.createBusiness()));
    await Promise.all([own.stop(), reader.ended]);

    expect(reader.response.status).toBe(200);
  });
});

describe('A client of a service that is killed and started again', () => {
  it('misses no event', async () => {
    const dataDir = await createTempFolder();
    const first = await ServiceProcess.start(dataDir);
    const key = first.firstKey;
    const reader = await open(first.url, key);
    const products: string[] = [];
    const create = async (service: Service | ServiceProcess, name: string) =>
      products.push(requireData(await service.createApi(key).post('/v1/commerce/products', { name })).id as string);
    await create(first, 'One');
    const [last] = await reader.waitFor(1);
    for (const name of ['Two', 'Three', 'Four']) await create(first, name);
    await first.kill9();
    await reader.ended;

    const second = await startServiceOn(dataDir);
    const seen = reader.messages.at(-1) ?? last!;
    const resumed = await open(second.url, key, { 'last-event-id': seen.id });
    await create(second, 'Five');
    await resumed.waitFor(products.length - reader.messages.length);
    await resumed.cut();
    await second.close();

    // Events of different resources are published in no order.
    const received = [...reader.messages, ...resumed.messages].map(({ data }) => data.data.id as string);
    expect(received.sort()).toEqual(products.sort());
    await rm(dataDir, { recursive: true, force: true });
  });
});
