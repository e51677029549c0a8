import { ON_REAL_STORES } from '../support/real-stores/real-stores.js';
import { startService, type Service } from '../support/service.js';
import { Storm, type Weather } from './storm.js';

const ANSWERED_MS = 12_000;
const RECOVERED_MS = 10_000;
const STORM_MS = 60_000;
const ELSEWHERE = 'Skipped on the embedded store, from which nothing lies between: the service while its stores are away';

const WEATHERS: readonly Weather[] = [
  { name: 'is slow', begin: (relay) => relay.slow(20), away: false },
  { name: 'is cut off once', begin: (relay) => relay.cut(), away: false },
  { name: 'lets existing connections hang', begin: (relay) => relay.freeze(), away: false },
  { name: 'swallows everything', begin: (relay) => relay.swallow(), away: true },
  { name: 'resets every connection', begin: (relay) => relay.reset(), away: true },
  { name: 'hears, and is not heard', begin: (relay) => relay.swallowAnswers(), away: true },
];

if (!ON_REAL_STORES) process.stderr.write(`${ELSEWHERE}\n`);

(ON_REAL_STORES ? describe : describe.skip).each([
  ['log', 'event_store'],
  ['documents', 'read_models'],
] as const)('While the way to the %s', (store, part) => {
  let service: Service;
  let storm: Storm;
  beforeAll(async () => {
    service = await startService();
    storm = new Storm(service, await service.key(await service.business()));
  });
  afterAll(() => service.stop());

  it.each(WEATHERS)(
    '$name, every write is answered in time, and all is well soon afterwards',
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
    'was not well, nothing was acknowledged that is not in the log once, and whoever asks again is answered',
    async () => {
      await storm.settle();

      expect(storm.acknowledgements).toBeGreaterThan(0);
      expect(await storm.misrecorded()).toEqual([]);
    },
    2 * STORM_MS,
  );
});
