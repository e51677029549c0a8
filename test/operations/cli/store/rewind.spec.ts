import { Databases, onMongo } from '../../../stores/mongodb/server.js';
import { type Api, requireData } from '../../../support/api.js';
import { createOwnerKey } from '../../../support/owner-key.js';
import { Receiver } from '../../../support/receiver.js';
import { waitFor } from '../../../webhooks/webhook-fixture.js';
import { TargetStores } from '../../support/target-stores.js';

const LONG_MS = 180_000;

onMongo((server) => {
  const databases = Databases.each(server);
  let targets: TargetStores;
  let receiver: Receiver;
  beforeEach(async () => {
    targets = await TargetStores.open();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.stop();
    targets.close();
  });

  describe('A service whose restored log is older than its MongoDB', () => {
    it(
      'refuses to start until a rewind; then it serves the data of the log and delivers new events',
      async () => {
        const before = await targets.external(databases.url).start();
        const key = await createOwnerKey(before);
        const api = before.createApi(key);
        requireData(await api.post('/v1/webhooks/endpoints', { url: receiver.url('/hook') }));
        await createProduct(api, 'kept');
        await countDelivered(receiver, 1);
        const backup = targets.server.log.length;
        const lost = await api.post('/v1/commerce/products', { name: 'lost' });
        await countDelivered(receiver, 2);
        await before.stop();
        await targets.restoreLog(backup);
        const restored = targets.external(databases.url);

        await expect(restored.start()).rejects.toThrow(/Checkpoints are ahead of the end of the log: .*products@\d+#1/);
        const doctor = await restored.ops.run('store doctor --json');
        expect([doctor.exitCode, JSON.parse(doctor.out).doctor.parts.checkpoints]).toEqual([
          1,
          { status: 'red', detail: expect.stringMatching(/reactor:.*products@\d+#1/) },
        ]);
        const { rewind } = await waitFor(async () => {
          const { exitCode, out } = await restored.ops.run('store rewind --json');
          return exitCode === 0 ? (JSON.parse(out) as { rewind: { head: string; building: string[] } }) : null;
        });
        expect(rewind.building).toContainEqual(expect.stringMatching(/^products@/));

        const service = await restored.start();
        const again = service.createApi(key);
        // The rewind has begun new builds, and reads of a build that is not complete are refused.
        const listed = await waitFor(async () => {
          const reply = await again.get('/v1/commerce/products');
          return reply.status === 503 ? null : reply;
        });
        expect(listNames(listed)).toEqual(['kept']);
        const token = lost.headers.get('consistency-token')!;
        const withToken = await again.get('/v1/commerce/products', { 'consistency-token': token });
        expect([withToken.status, withToken.headers.get('consistency')]).toEqual([200, null]);
        await createProduct(again, 'next');
        await countDelivered(receiver, 3);
        expect(listNames(await again.get('/v1/commerce/products'))).toEqual(['next', 'kept']);
        await service.stop();
        expect(JSON.parse((await restored.ops.run('store doctor --json')).out).doctor.parts.checkpoints.status).toBe(
          'green',
        );
      },
      LONG_MS,
    );
  });
});

async function createProduct(api: Api, name: string): Promise<void> {
  requireData(await api.post('/v1/commerce/products', { name }));
}

function listNames(answer: Parameters<typeof requireData>[0]): string[] {
  return (requireData(answer) as unknown as { name: string }[]).map(({ name }) => name);
}

async function countDelivered(receiver: Receiver, times: number): Promise<void> {
  await waitFor(async () => (receiver.requests.length >= times ? true : null));
}
