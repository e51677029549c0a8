import { ON_EXTERNAL_STORES } from '../support/external-stores/external-stores.js';
import { type Service, startService } from '../support/service.js';
import { type NetworkFault, NetworkFaultTrial } from './network-faults.js';

const MAX_RESPONSE_MS = 12_000;
const MAX_RECOVERY_MS = 10_000;
const TEST_MS = 60_000;
const SKIPPED = 'Skipped on the embedded store, which uses no network: the service while its stores are unavailable';

const FAULTS: readonly NetworkFault[] = [
  { name: 'is slow', begin: (relay) => relay.delay(20), blocksWrites: false },
  { name: 'is reset once', begin: (relay) => relay.resetConnections(), blocksWrites: false },
  { name: 'lets existing connections hang', begin: (relay) => relay.freeze(), blocksWrites: false },
  { name: 'drops all bytes', begin: (relay) => relay.dropAll(), blocksWrites: true },
  { name: 'resets every connection', begin: (relay) => relay.refuseConnections(), blocksWrites: true },
  { name: 'drops all responses', begin: (relay) => relay.dropResponses(), blocksWrites: true },
];

if (!ON_EXTERNAL_STORES) process.stderr.write(`${SKIPPED}\n`);

(ON_EXTERNAL_STORES ? describe : describe.skip).each([
  ['log', 'event_store'],
  ['documents', 'read_models'],
] as const)('While the connection to the %s', (store, part) => {
  let service: Service;
  let trial: NetworkFaultTrial;
  beforeAll(async () => {
    service = await startService();
    trial = new NetworkFaultTrial(service, await service.createKey(await service.createBusiness()));
  });
  afterAll(() => service.stop());

  it.each(FAULTS)(
    '$name, the service answers every write in time and recovers soon afterwards',
    async (condition) => {
      const { unexpected, slowestMs, during, recoveryMs } = await trial.runFault(service.stores![store], condition);
      process.stderr.write(`${store} ${condition.name}: slowest answer ${slowestMs} ms, recovery ${recoveryMs} ms\n`);

      expect(unexpected).toEqual([]);
      expect(slowestMs).toBeLessThan(MAX_RESPONSE_MS);
      expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
      if (condition.blocksWrites) expect([during.status, during.parts[part]!.status]).toEqual(['red', 'red']);
    },
    TEST_MS,
  );

  it(
    'had faults, each acknowledged write was recorded once, and each repeated request gets an answer',
    async () => {
      await trial.resolveOpenRequests();

      expect(trial.acknowledgements).toBeGreaterThan(0);
      expect(await trial.findMisrecorded()).toEqual([]);
    },
    2 * TEST_MS,
  );
});
