import { FAR_FUTURE, KeyFixtures } from '../../identity/authentication/key-fixtures.js';
import { requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service.js';
import { ReceivedEvents } from '../received-events.js';

describe('The publication of API keys', () => {
  let service: Service;
  let receiver: Receiver;
  let keys: KeyFixtures;
  let live: ReceivedEvents;
  let test: ReceivedEvents;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService({ WEBHOOK_ENDPOINT_RATE: '1000' });
    keys = await KeyFixtures.create(service);
    const inTestMode = keys.owner.withHeaders({ 'x-service-mode': 'test' });
    live = await ReceivedEvents.subscribe(keys.owner, receiver, '/live', ['api_key.*']);
    test = await ReceivedEvents.subscribe(inTestMode, receiver, '/test', ['*']);
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  it('tells of a new key as GET shows it, in the mode of the key and without its secret', async () => {
    const { secret, id } = await keys.createKey({ mode: 'test', expires_at: FAR_FUTURE });
    const { data, changes } = await test.waitForOne('api_key.created', id);
    expect(data).toEqual(await keys.retrieve(id));
    expect(changes).toBeNull();

    const ofLive = await keys.createKey();
    await live.waitForOne('api_key.created', ofLive.id);
    expect(live.list('api_key.created', id)).toEqual([]);
    expect(test.list('api_key.created', ofLive.id)).toEqual([]);
    const bodies = receiver.requests.map(({ body }) => body).join();
    for (const hidden of [secret, ofLive.secret, secret.slice(8, -4)]) expect(bodies).not.toContain(hidden);
  });

  it('tells of a rotation and of the successor', async () => {
    const key = await keys.createKey();
    await keys.readCaller(key.secret);
    const successor = requireData(await keys.rotate(key.id, { overlap_seconds: 60 }));

    const { data, changes } = await live.waitForOne('api_key.rotated', key.id);
    expect(data).toEqual(await keys.retrieve(key.id));
    expect(data.last_used_at).not.toBeNull();
    expect(changes).toEqual({ expires_at: { before: null, after: data.expires_at } });
    expect((await live.waitForOne('api_key.created', successor.id)).data.last4).toBe(successor.last4);
  });

  it('tells of a revocation', async () => {
    const key = await keys.createKey();
    const revoked = requireData(await keys.owner.delete(`/v1/auth/api-keys/${key.id}`));
    const { data, changes } = await live.waitForOne('api_key.revoked', key.id);
    expect(data).toEqual(revoked);
    expect(changes).toEqual({ revoked_at: { before: null, after: revoked.revoked_at } });
  });
});
