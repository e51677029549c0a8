import { Streams } from '../../../src/engine/streams/streams.js';
import { EndpointQuotaSteps } from '../../../src/webhooks/commands/endpoint-quota.steps.js';
import { endpointDecider } from '../../../src/webhooks/domain/endpoint.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { createContext } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { SETTINGS } from '../facts.js';
import { readTestConfig } from '../test-config.js';

describe('The endpoint quota of a business', () => {
  let clock: ManualClock;
  let streams: Streams;
  let quota: EndpointQuotaSteps;

  beforeEach(async () => {
    clock = new ManualClock();
    streams = new Streams(new MemoryEventStore(clock), clock, new SeededRandom());
    quota = new EndpointQuotaSteps(streams, await readTestConfig({ WEBHOOK_ENDPOINT_LIMIT: '1' }), clock);
    await quota.claim('whs_1', createContext('first'));
  });

  const claimSecond = () => quota.claim('whs_2', createContext('second'));

  it('is used up while the last endpoint may still be created', async () => {
    await clock.advance(60_000);
    await expect(claimSecond()).rejects.toMatchObject({ code: 'endpoint_limit_reached' });
  });

  it('releases the claim of an endpoint that a crash left uncreated, and never creates that endpoint', async () => {
    await clock.advance(60_001);
    await claimSecond();
    const late = { ...SETTINGS, endpointId: 'whs_1', businessId: 'biz_1', mode: 'test', secretId: 'sec_1' } as const;
    const created = streams.execute(
      endpointDecider,
      'whs_1',
      { type: 'CreateEndpoint', status: 'enabled', ...late },
      createContext('late'),
    );
    await expect(created).rejects.toMatchObject({ code: 'concurrent_update' });
  });

  it('releases the claim of a deleted endpoint after a crash', async () => {
    const facts = { ...SETTINGS, endpointId: 'whs_1', businessId: 'biz_1', mode: 'test', secretId: 'sec_1' } as const;
    await streams.execute(
      endpointDecider,
      'whs_1',
      { type: 'CreateEndpoint', status: 'enabled', ...facts },
      createContext('create'),
    );
    await expect(claimSecond()).rejects.toMatchObject({ code: 'endpoint_limit_reached' });
    await streams.execute(endpointDecider, 'whs_1', { type: 'DeleteEndpoint' }, createContext('delete'));
    await claimSecond();
  });
});
