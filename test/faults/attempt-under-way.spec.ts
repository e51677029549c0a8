import { rm } from 'node:fs/promises';
import { hang, status, type Answer } from '../support/answers.js';
import { dataOf } from '../support/api.js';
import { ownersKey } from '../support/owners-key.js';
import { ON_REAL_STORES, RealStores } from '../support/real-stores/real-stores.js';
import { Receiver } from '../support/receiver.js';
import { freshFolder } from '../support/service.js';
import { ServiceProcess, type Environment } from '../support/service-process.js';

const TAKEOVER_MS = 20_000;
/** The attempt's own timeout is longer than this test. */
const ENVIRONMENT = { WEBHOOK_TIMEOUT_MS: '600000', WEBHOOK_RETRY_SCHEDULE: '0.05,0.05' };
const TEST_MS = 90_000;

describe('An attempt interrupted by the kill of its process', () => {
  let folder: string;
  let stores: RealStores | null;
  let environment: Environment;
  let receiver: Receiver;
  let lives: ServiceProcess[];
  beforeEach(async () => {
    folder = await freshFolder();
    stores = ON_REAL_STORES ? await RealStores.open(folder) : null;
    environment = { ...ENVIRONMENT, ...stores?.environment };
    receiver = await Receiver.start();
    lives = [];
  });
  afterEach(async () => {
    await Promise.all(lives.map((life) => life.kill9()));
    await receiver.stop();
    await stores?.close();
    await rm(folder, { recursive: true });
  });

  async function begin(role: string): Promise<ServiceProcess> {
    const life = await ServiceProcess.start(folder, { ...environment, ROLE: role });
    lives.push(life);
    return life;
  }

  it.each<[string, readonly Answer[]]>([
    ['a first attempt', [hang(), status(200)]],
    ['a retry', [status(500), hang(), status(200)]],
  ])(
    'is followed by the next attempt from another process within 20 s: %s',
    async (_, answers) => {
      receiver.answers('/hook', ...answers);
      const first = await begin('all');
      const api = first.api(await ownersKey(first));
      dataOf(await api.post('/v1/webhooks/endpoints', { url: receiver.url('/hook'), event_types: ['product.review_requested'] }));
      dataOf(await api.post('/v1/commerce/products', { name: 'A course' }));
      await receiver.received('/hook', answers.length - 1);
      await begin('dispatcher');

      const killedAt = performance.now();
      await first.kill9();
      await receiver.received('/hook', answers.length, TEST_MS);
      const tookMs = Math.round(performance.now() - killedAt);
      process.stderr.write(`followed after ${tookMs} ms\n`);
      expect(tookMs).toBeLessThan(TAKEOVER_MS);
    },
    TEST_MS,
  );
});
