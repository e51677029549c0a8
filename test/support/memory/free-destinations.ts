import type { Destination, Destinations } from '../../../src/webhooks/delivery/destinations.js';

const toDestination = (url: string): Destination => ({
  url,
  host: { addresses: [] },
  resolvedInMs: 0,
  release: () => undefined,
});

/** Replaces the `Destinations` of a process whose sender opens no connections: every host is known and free. */
export const FREE_DESTINATIONS = {
  isFull: () => false,
  findAddresses: () => [],
  resolveSoon: () => Promise.resolve([]),
  tryAcquire: toDestination,
  acquire: (url: string) => Promise.resolve(toDestination(url)),
  acquireExtra: (url: string) => Promise.resolve(toDestination(url)),
} as unknown as Destinations;
