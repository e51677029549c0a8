import { BuildCatalogue } from '../../../src/kernel/build-catalogue.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { Idempotency } from '../../../src/kernel/idempotency.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { Vault } from '../../../src/kernel/vault.js';
import { Health } from '../../../src/operations/health/health.js';
import { Stores } from '../../../src/stores/stores.js';
import { MemoryContainer } from '../../support/memory/memory-container.js';
import { readTestConfig } from '../../webhooks/test-config.js';

/** Monitoring must see a fault within this time. */
const LIMIT_MS = 2_000;
const STORE_PARTS = ['event_store', 'read_models', 'jobs', 'idempotency', 'vault', 'durability', 'projections'];

/** A store that accepts requests and never responds. */
const silent = new Proxy({}, { get: () => () => new Promise(() => undefined) });

async function createProcess() {
  const process = new MemoryContainer(await readTestConfig());
  process.provide(Idempotency, silent as Idempotency).provide(Stores as never, { failure: null, ports: silent });
  await process.start();
  return process;
}

describe('A readiness check', () => {
  it('is red within the limit when no store responds any more', async () => {
    const process = await createProcess();
    for (const port of [EventStore, BuildCatalogue, Jobs, Vault] as const) process.provide(port, silent);
    const health = process.get(Health);
    const checked = health.checkReadiness();
    await process.clock.advance(LIMIT_MS);
    const { status, parts } = await checked;

    expect(status).toBe('red');
    const failed = STORE_PARTS.filter((name) => parts[name]!.detail.startsWith('no response'));
    expect(failed).toEqual(STORE_PARTS);
    await process.stop();
  });
});
