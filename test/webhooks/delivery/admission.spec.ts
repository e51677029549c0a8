import type { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { AddressPolicy } from '../../../src/webhooks/delivery/address-policy.js';
import { Admission } from '../../../src/webhooks/delivery/admission.js';
import { Backlogs } from '../../../src/webhooks/delivery/backlogs.js';
import { CircuitBreakers } from '../../../src/webhooks/delivery/circuit-breakers.js';
import { Destinations } from '../../../src/webhooks/delivery/destinations.js';
import { EndpointLimiter } from '../../../src/webhooks/delivery/endpoint-limiter.js';
import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { NameResolver } from '../../../src/webhooks/delivery/name-resolver.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { createAttempt, failed } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';
import { readTestConfig } from '../test-config.js';

const ADDRESS = '93.184.215.14';
const URL = `https://${ADDRESS}/hooks`;
const ENDPOINT = 'whs_1';
const FIRST = { ahead: 0, began: Promise.resolve(), end: () => undefined };
const UNREAD = { waitUntil: () => Promise.resolve(false) } as unknown as ReadModelReader;

async function createAdmission() {
  const clock = new ManualClock();
  const config = await readTestConfig({ WEBHOOK_ENDPOINT_CONCURRENCY: '1', WEBHOOK_HOST_CONCURRENCY: '1' });
  const hosts = new HostLimiter(config, clock);
  const policy = new AddressPolicy(config, new NameResolver(config, clock));
  const limiter = new EndpointLimiter(config, clock);
  const backlogs = new Backlogs(new MemoryJobs(clock), clock);
  const destinations = new Destinations(policy, hosts, clock, config);
  const breakers = new CircuitBreakers(config, UNREAD, backlogs, clock);
  return { hosts, breakers, admission: new Admission(backlogs, breakers, limiter, destinations, clock) };
}

describe('The slots of a first attempt', () => {
  it.each<[string, (admission: Admission) => unknown]>([
    ['now', (admission) => admission.enterNow(FIRST, ENDPOINT, URL)],
    ['soon', (admission) => admission.enterSoon(FIRST, ENDPOINT, URL)],
  ])('keep no slot of the endpoint while its host has none: %s', async (_, enter) => {
    const { hosts, admission } = await createAdmission();
    const held = hosts.tryAcquire([ADDRESS])!;
    expect(await enter(admission)).toBeNull();
    held.release();
    expect(await enter(admission)).toMatchObject({ url: URL, host: { addresses: [ADDRESS] } });
  });

  it('are one at the endpoint and one at the host, which end together', async () => {
    const { hosts, admission } = await createAdmission();
    const first = admission.enterNow(FIRST, ENDPOINT, URL)!;
    expect([admission.enterNow(FIRST, ENDPOINT, URL), hosts.tryAcquire([ADDRESS])]).toEqual([null, null]);
    first.release();
    expect(admission.enterNow(FIRST, ENDPOINT, URL)).not.toBeNull();
  });
});

describe('The priority of an attempt', () => {
  it('is lower for the retries of an endpoint that keeps failing', async () => {
    const { admission, breakers } = await createAdmission();
    const kinds = ['first', 'retry', 'backfill'] as const;
    const listPriorities = () => kinds.map((kind) => admission.priorityOf({ endpointId: ENDPOINT, kind }));
    expect(listPriorities()).toEqual(['first', 'retry', 'job']);

    const failure = failed(createAttempt(1), { reason: 'server_error' });
    breakers.record(
      ENDPOINT,
      Array.from({ length: 10 }, () => recordedFrom(failure)),
    );
    expect(listPriorities()).toEqual(['first', 'suspect', 'job']);
  });
});
