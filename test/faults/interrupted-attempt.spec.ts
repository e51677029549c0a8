import { rm } from 'node:fs/promises';
import { requireData } from '../support/api.js';
import { ExternalStores, ON_EXTERNAL_STORES } from '../support/external-stores/external-stores.js';
import { createOwnerKey } from '../support/owner-key.js';
import { Receiver } from '../support/receiver.js';
import { hang, type ReceiverResponse, respondWith } from '../support/receiver-responses.js';
import { createTempFolder } from '../support/service.js';
import { type Environment, ServiceProcess } from '../support/service-process.js';

const TAKEOVER_MS = 20_000;
/** The attempt's own timeout is longer than this test. */
const ENVIRONMENT = { WEBHOOK_TIMEOUT_MS: '600000', WEBHOOK_RETRY_SCHEDULE: '0.05,0.05' };
const TEST_MS = 90_000;

describe('An attempt interrupted by the kill of its process', () => {
  let folder: string;
  let stores: ExternalStores | null;
  let environment: Environment;
  let receiver: Receiver;
  let processes: ServiceProcess[];
  beforeEach(async () => {
    folder = await createTempFolder();
    stores = ON_EXTERNAL_STORES ? await ExternalStores.open(folder) : null;
    environment = { ...ENVIRONMENT, ...stores?.environment };
    receiver = await Receiver.start();
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((life) => life.kill9()));
    await receiver.stop();
    await stores?.close();
    await rm(folder, { recursive: true });
  });

  async function startProcess(role: string): Promise<ServiceProcess> {
    const life = await ServiceProcess.start(folder, { ...environment, ROLE: role });
    processes.push(life);
    return life;
  }

  it.each<[string, readonly ReceiverResponse[]]>([
    ['a first attempt', [hang(), respondWith(200)]],
    ['a retry', [respondWith(500), hang(), respondWith(200)]],
  ])(
    'is followed by the next attempt from another process within 20 s: %s',
    async (_, answers) => {
      receiver.setResponses('/hook', ...answers);
      const first = await startProcess('all');
      const api = first.createApi(await createOwnerKey(first));
      requireData(
        await api.post('/v1/webhooks/endpoints', {
          url: receiver.url('/hook'),
          event_types: ['product.review_requested'],
        }),
      );
      requireData(await api.post('/v1/commerce/products', { name: 'A course' }));
      await receiver.waitForRequests('/hook', answers.length - 1);
      await startProcess('dispatcher');

      const killedAt = performance.now();
      await first.kill9();
      await receiver.waitForRequests('/hook', answers.length, TEST_MS);
      const tookMs = Math.round(performance.now() - killedAt);
      process.stderr.write(`followed after ${tookMs} ms\n`);
      expect(tookMs).toBeLessThan(TAKEOVER_MS);
    },
    TEST_MS,
  );
});
