import { Admission } from '../../../src/webhooks/delivery/admission.js';
import { CircuitBreakers } from '../../../src/webhooks/delivery/circuit-breakers.js';
import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { Senders } from '../../../src/webhooks/delivery/senders.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';
import { createAttempt, failed } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';

const ADDRESS = '93.184.215.14';
const URL = `https://${ADDRESS}/hooks`;
const RECEIVER = { endpointId: 'whs_1', url: URL, ratePerSecond: null };
const FIRST = { ahead: 0, began: Promise.resolve(), end: () => undefined };

async function createAdmission(endpointSlots = 1, hostSlots = 1) {
  const limits = { WEBHOOK_ENDPOINT_CONCURRENCY: String(endpointSlots), WEBHOOK_HOST_CONCURRENCY: String(hostSlots) };
  const process = await WebhooksProcess.create(limits, URL);
  await process.get(Senders).meet();
  return {
    hosts: process.get(HostLimiter),
    breakers: process.get(CircuitBreakers),
    admission: process.get(Admission),
  };
}

describe('The slots of a first attempt', () => {
  it.each<[string, (admission: Admission) => unknown]>([
    ['now', (admission) => admission.enterNow(FIRST, RECEIVER)],
    ['soon', (admission) => admission.enterSoon(FIRST, RECEIVER)],
  ])('keep no slot of the endpoint while its host has none: %s', async (_, enter) => {
    const { hosts, admission } = await createAdmission();
    const held = hosts.tryAcquire([ADDRESS])!;
    expect(await enter(admission)).toBeNull();
    held.release();
    expect(await enter(admission)).toMatchObject({ url: URL, host: { addresses: [ADDRESS] } });
  });

  it('are one at the endpoint and one at the host, which end together', async () => {
    const { hosts, admission } = await createAdmission();
    const first = admission.enterNow(FIRST, RECEIVER)!;
    expect([admission.enterNow(FIRST, RECEIVER), hosts.tryAcquire([ADDRESS])]).toEqual([null, null]);
    first.release();
    expect(admission.enterNow(FIRST, RECEIVER)).not.toBeNull();
  });
});

describe('The share of the retries', () => {
  it('is one slot for an endpoint that keeps failing, and half of them for another', async () => {
    const { admission, breakers } = await createAdmission(10, 100);
    const countRetries = async () => {
      const entries = [];
      for (let i = 0; i < 10; i++) entries.push(await admission.enterFromJob(RECEIVER, 'retry', false));
      const destinations = entries.filter((entry) => 'release' in entry);
      destinations.forEach(({ release }) => release());
      return destinations.length;
    };
    expect(await countRetries()).toBe(5);

    const failure = failed(createAttempt(1), { reason: 'server_error' });
    breakers.record(
      RECEIVER.endpointId,
      Array.from({ length: 10 }, () => recordedFrom(failure)),
    );
    expect(await countRetries()).toBe(1);
  });
});
