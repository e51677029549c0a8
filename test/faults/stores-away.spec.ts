import { ON_REAL_STORES } from '../support/real-stores/real-stores.js';
import { startService, type Service } from '../support/service.js';
import { Storm, type Weather } from './storm.js';

const ANSWERED_MS = 12_000;
const RECOVERED_MS = 10_000;
const STORM_MS = 60_000;
const ELSEWHERE = 'Skipped on the embedded store, which uses no network: the service while its stores are unavailable';

const WEATHERS: readonly Weather[] = [
  { name: 'is slow', begin: (relay) => relay.slow(20), away: false },
  { name: 'is reset once', begin: (relay) => relay.cut(), away: false },
  { name: 'lets existing connections hang', begin: (relay) => relay.freeze(), away: false },
  { name: 'drops all bytes', begin: (relay) => relay.swallow(), away: true },
  { name: 'resets every connection', begin: (relay) => relay.reset(), away: true },
  { name: 'drops all responses', begin: (relay) => relay.swallowAnswers(), away: true },
];

if (!ON_REAL_STORES) process.stderr.write(`${ELSEWHERE}\n`);

(ON_REAL_STORES ? describe : describe.skip).each([
  ['log', 'event_store'],
  ['documents', 'read_models'],
] as const)('While the connection to the %s', (store, part) => {
  let service: Service;
  let storm: Storm;
  beforeAll(async () => {
    service = await startService();
    storm = new Storm(service, await service.key(await service.business()));
  });
  afterAll(() => service.stop());

  it.each(WEATHERS)(
    '$name, the service answers every write in time and recovers soon afterwards',
    async (weather) => {
      const { odd, slowestMs, during, recoveryMs } = await storm.over(service.stores![store], weather);
      process.stderr.write(`${store} ${weather.name}: slowest answer ${slowestMs} ms, recovery ${recoveryMs} ms\n`);

      expect(odd).toEqual([]);
      expect(slowestMs).toBeLessThan(ANSWERED_MS);
      expect(recoveryMs).toBeLessThan(RECOVERED_MS);
      if (weather.away) expect([during.status, during.parts[part]!.status]).toEqual(['red', 'red']);
    },
    STORM_MS,
  );

  it(
    'had faults, each acknowledged write was recorded once, and each repeated request gets an answer',
    async () => {
      await storm.settle();

      expect(storm.acknowledgements).toBeGreaterThan(0);
      expect(await storm.misrecorded()).toEqual([]);
    },
    2 * STORM_MS,
  );
});
