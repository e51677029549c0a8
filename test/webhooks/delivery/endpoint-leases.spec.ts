import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { EndpointLeases } from '../../../src/webhooks/delivery/endpoint-leases.js';
import { EndpointLimiter } from '../../../src/webhooks/delivery/endpoint-limiter.js';
import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { Senders } from '../../../src/webhooks/delivery/senders.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const ENDPOINT = 'whs_1';
const OTHER_ENDPOINT = 'whs_2';
/** After this time every process knows of a new one. */
const SETTLE_MS = 6_000;
/** After this time an endpoint that is not used is free. */
const RELEASE_MS = 5_000;
const LEASE_MS = 12_000;

let first: WebhooksProcess;
let second: WebhooksProcess;
beforeEach(async () => {
  first = await WebhooksProcess.create({ WEBHOOK_HOST_CONCURRENCY: '5', WEBHOOK_HOST_RATE: '0' });
  second = first.createOther('process-2');
});

/** Runs the work under the clock, which goes on for as long as the work waits. */
async function run<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const settled = work.finally(() => (isOver = true));
  while (!isOver) await first.clock.advance(10);
  return settled;
}

const acquire = (process: WebhooksProcess, endpointId = ENDPOINT) =>
  run(process.get(EndpointLeases).acquire(endpointId));
const send = (process: WebhooksProcess) => process.get(EndpointLimiter).tryAcquire(ENDPOINT)!;

describe('The right to send to an endpoint', () => {
  it('needs no lease while one process sends', async () => {
    expect(first.get(EndpointLeases).isHeld(ENDPOINT)).toBe(false);
    expect(await acquire(first)).toBe(true);
    expect(first.get(EndpointLeases).isHeld(OTHER_ENDPOINT)).toBe(true);
  });

  it('is refused to a new process until all others know of it', async () => {
    await acquire(first);
    expect(await acquire(second)).toBe(false);
    await first.clock.advance(SETTLE_MS);
    expect(await acquire(second)).toBe(true);
    expect(first.get(EndpointLeases).isHeld(ENDPOINT)).toBe(false);
    expect(await acquire(first)).toBe(false);
    expect(await acquire(first, OTHER_ENDPOINT)).toBe(true);
  });

  describe('between two processes', () => {
    beforeEach(async () => {
      await acquire(first);
      await acquire(second);
      await first.clock.advance(SETTLE_MS);
      expect(await acquire(first)).toBe(true);
    });

    it('belongs to one of them at a time, and is free some seconds after its last use', async () => {
      expect(await acquire(second)).toBe(false);
      await first.clock.advance(RELEASE_MS);
      expect(await acquire(second)).toBe(true);
      expect(await acquire(first)).toBe(false);
    });

    it('stays with a process for as long as a send is open', async () => {
      const slot = send(first);
      await first.clock.advance(5 * LEASE_MS);
      expect(await acquire(second)).toBe(false);
      slot.release();
      await first.clock.advance(RELEASE_MS);
      expect(await acquire(second)).toBe(true);
    });

    it('is not valid after the store has been away for the time of the lease', async () => {
      send(first);
      const { readModels } = first;
      const acquireLease = readModels.acquireLease.bind(readModels);
      readModels.acquireLease = () => Promise.reject(new StoreUnavailable('the store is away', false));
      await first.clock.advance(LEASE_MS);
      expect(first.get(EndpointLeases).isHeld(ENDPOINT)).toBe(false);
      readModels.acquireLease = acquireLease;
      await first.clock.advance(SETTLE_MS + RELEASE_MS);
      expect([await acquire(first), await acquire(second)].filter(Boolean)).toHaveLength(1);
    });

    it('is leased again only after its release has reached the store', async () => {
      const { readModels } = first;
      const releaseLease = readModels.releaseLease.bind(readModels);
      const slow = Promise.withResolvers<void>();
      readModels.releaseLease = async (name, holder) => {
        if (name.startsWith('endpoint:')) await slow.promise;
        return releaseLease(name, holder);
      };
      await first.clock.advance(RELEASE_MS);
      const acquired = first.get(EndpointLeases).acquire(ENDPOINT);
      await first.clock.advance(10);
      slow.resolve();
      expect(await run(acquired)).toBe(true);
      expect(await acquire(second)).toBe(false);
    });

    it('passes to the other process after a shutdown', async () => {
      send(first);
      await first.get(Senders).onApplicationShutdown();
      await first.clock.advance(SETTLE_MS);
      expect(await acquire(second)).toBe(true);
    });

    it('leaves each process its share of the limits of a host', () => {
      const hosts = [first, second].map((process) => process.get(HostLimiter));
      const slots = hosts.map((host) => [1, 2, 3].map(() => host.tryAcquire(['192.0.2.1'])));
      expect(slots.map((taken) => taken.filter((slot) => slot !== null).length)).toEqual([2, 2]);
    });
  });
});
