import { statSync } from 'node:fs';
import { toIso } from '../../../src/kernel/clock.js';
import type { Ports } from '../../../src/stores/ports.js';
import { Databases, onMongo } from '../../stores/mongodb/server.js';
import { type Api, requireData } from '../../support/api.js';
import type { Command } from '../../support/command-line.js';
import type { ServerAppendFault } from '../../support/eventstoredb/server.js';
import { createOwnerKey } from '../../support/owner-key.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import type { ServiceProcess } from '../../support/service-process.js';
import { waitFor } from '../../webhooks/webhook-fixture.js';
import { TargetStores } from '../support/target-stores.js';

const RETRY_AFTER_S = 12;
const LONG_MS = 240_000;
const OPEN_CLAIM = { scope: 'moving', key: 'left open' };
const CLAIM = { fingerprint: 'POST /v1/moving', leaseMs: 60_000, holder: 'a request' };
const OF_A_RETRY = ['AttemptStarted', 'AttemptSucceeded'];

onMongo((server) => {
  const databases = Databases.each(server);
  let targets: TargetStores;
  let receiver: Receiver;
  beforeEach(async () => {
    targets = await TargetStores.open({ WEBHOOK_RETRY_SCHEDULE: `${RETRY_AFTER_S},3600` });
    receiver = await Receiver.start();
    receiver.setResponses('/hook', respondWith(500), respondWith(200), respondWith(500), respondWith(200));
  });
  afterEach(async () => {
    await receiver.stop();
    targets.close();
  });

  describe('A service that moves from its file to EventStoreDB and MongoDB, and then to another file', () => {
    it(
      'continues in each store with all its data',
      async () => {
        const [first, there, last] = [
          targets.embedded('first'),
          targets.external(databases.url),
          targets.embedded('last'),
        ];
        const isStarted = await first.start();
        const key = await createOwnerKey(isStarted);
        const tenant = new TestCustomer(isStarted, key);
        requireData(await tenant.api.post('/v1/webhooks/endpoints', { url: receiver.url('/hook') }));
        const cart = requireData(
          await tenant.api.post('/v1/commerce/carts', { buyer: { email: 'ada@example.com', name: 'Ada' } }),
        );
        const one = await tenant.order('one');
        const [delivery] = await tenant.listDeliveries(1);
        const paths = [`commerce/carts/${cart.id}`, 'commerce/products', ...toPaths(delivery!)];
        const listed = await tenant.listWebhooks(paths);
        await isStarted.stop();
        const claimed = await first.open(leaveUnfinishedWork);
        const left = await first.open(readLogEvents);

        await first.ops.runForDocument(`store export --out ${targets.file('out')}`);
        expect(statSync(targets.file('out')).mode & 0o777).toBe(0o600);
        expect(targets.readLines('out').join('')).not.toContain('ada@example.com');
        await killDuringRequest(there.ops.start(`store import --from ${targets.file('out')}`), targets);
        await expect(there.start()).rejects.toThrow('The store holds an unfinished import');
        expect((await there.ops.runForDocument(`store import --from ${targets.file('out')}`)).import.moved).toBe(true);
        expect((await there.ops.runForDocument(`store import --from ${targets.file('out')}`)).import.moved).toBe(false);
        expect(withoutPosition(await there.open(readLogEvents))).toEqual(withoutPosition(left));

        const moved = await there.start();
        const refused = await there.ops.run(`store export --out ${targets.file('early')}`);
        expect([refused.exitCode, refused.err]).toEqual([
          1,
          expect.stringMatching(/^a service runs on this store, .*Stop it first\.\n$/),
        ]);
        const tenantThere = new TestCustomer(moved, key);
        expect(await tenantThere.listWebhooks(paths)).toEqual(listed);
        expect(await tenantThere.order('one')).toEqual(one);
        await tenantThere.listDeliveries(2);
        expect(receiver.requests).toHaveLength(2);
        expect(listTypesAfter(left.length, await there.open(readLogEvents))).toEqual(OF_A_RETRY);
        const two = await tenantThere.order('two');
        await tenantThere.listDeliveries(3);
        await moved.stop();

        await waitFor(async () =>
          (await there.ops.run(`store export --out ${targets.file('back')}`)).exitCode === 0 ? true : null,
        );
        await last.ops.runForDocument(`store import --from ${targets.file('back')}`);
        await last.ops.runForDocument(`store export --out ${targets.file('again')}`);
        expect(readArchiveRecords(targets, 'again')).toEqual(readArchiveRecords(targets, 'back'));
        const leftThere = await last.open(readLogEvents);
        const ended = await last.start();
        const tenantAtLast = new TestCustomer(ended, key);
        expect([await tenantAtLast.order('one'), await tenantAtLast.order('two')]).toEqual([one, two]);
        await tenantAtLast.listDeliveries(4);
        expect(receiver.requests).toHaveLength(4);
        await ended.stop();
        expect(listTypesAfter(leftThere.length, await last.open(readLogEvents))).toEqual(OF_A_RETRY);
        await last.open((ports) => expectUnchanged(ports, claimed));
      },
      LONG_MS,
    );
  });

  describe('store copy --verify', () => {
    it(
      'copies to other stores, and reports that the read models there match the log',
      async () => {
        const [first, there] = [targets.embedded('first'), targets.external(databases.url)];
        const service = await first.start();
        await new TestCustomer(service, await createOwnerKey(service)).order('one');
        await service.stop();
        const { copy } = await first.ops.runForDocument(
          `store copy --to-event-store ${targets.server.connection} --to-mongodb ${databases.url} --verify`,
        );

        const log = await first.open(readLogEvents);
        expect(copy).toMatchObject({ moved: true, events: log.length });
        expect(copy.projections).toContainEqual({ build: expect.stringMatching(/^products@\d+#1$/), documents: 1 });
        expect(withoutPosition(await there.open(readLogEvents))).toEqual(withoutPosition(log));
      },
      LONG_MS,
    );
  });
});

/** A customer of the service: its requests and the webhooks that it received. */
class TestCustomer {
  readonly api: Api;

  constructor(service: ServiceProcess, key: string) {
    this.api = service.createApi(key);
  }

  /** Sends the same request with the same idempotency key, so the response is always the same. */
  async order(key: string): Promise<unknown> {
    const { status, text } = await this.api.post('/v1/commerce/products', { name: key }, { 'idempotency-key': key });
    return [status, text];
  }

  /** Waits for this many delivery records and returns them. */
  async listDeliveries(count: number): Promise<{ readonly id: string }[]> {
    const records = async () => requireData(await this.api.get('/v1/webhooks/deliveries'));
    return waitFor(
      async () => await records().then((all) => (all.length >= count ? all : null)),
      2 * RETRY_AFTER_S * 1_000,
    );
  }

  /** Waits for documents whose projection is still built in a new store. */
  listWebhooks(paths: readonly string[]): Promise<unknown> {
    const read = async (path: string) => {
      const reply = await this.api.get(`/v1/${path}`);
      return reply.status === 503 ? null : (requireData(reply) as object);
    };
    return Promise.all(paths.map((path) => waitFor(() => read(path))));
  }
}

/** Returns the paths of a delivery record, its request and its response. */
function toPaths({ id }: { readonly id: string }): string[] {
  return ['', '/request', '/response'].map((of) => `webhooks/deliveries/${id}${of}`);
}

/** Leaves a parked job, a job with failures, and an idempotency claim without an outcome. */
async function leaveUnfinishedWork({ jobs, idempotency }: Ports) {
  const due = toIso(Date.now() - 1_000);
  await jobs.enqueue(['parked', 'tired'].map((key) => ({ key, queue: 'unknown', due, data: { of: key } })));
  const [first, second] = await jobs.claim('unknown', { limit: 2, leaseMs: 60_000, holder: 'somebody' });
  await jobs.park(first!, 'a broom broke');
  await jobs.retry(second!, '2999-01-01T00:00:00.000Z', 'not now');
  const isStarted = await idempotency.claim(OPEN_CLAIM, CLAIM);
  if (isStarted.status !== 'started') throw new Error(isStarted.status);
  await idempotency.suspend(OPEN_CLAIM, isStarted.commandId, isStarted.run);
  return isStarted;
}

async function expectUnchanged({ jobs, idempotency }: Ports, claimed: object): Promise<void> {
  expect(await jobs.find('parked')).toMatchObject({
    status: 'parked',
    attempt: 1,
    failures: 1,
    error: 'a broom broke',
    data: { of: 'parked' },
  });
  expect(await jobs.find('tired')).toMatchObject({
    status: 'waiting',
    attempt: 1,
    failures: 1,
    due: '2999-01-01T00:00:00.000Z',
  });
  expect(await idempotency.claim(OPEN_CLAIM, CLAIM)).toEqual({ ...claimed, run: 2 });
}

/** Stops the import after some appends, one of which was written without a response. */
async function killDuringRequest(command: Command, { server }: TargetStores): Promise<void> {
  const passing = Array.from({ length: 5 }, (): ServerAppendFault => (write) => write());
  const gone = Promise.withResolvers<void>();
  server.appendFaults.push(...passing, (write) => {
    void write();
    gone.resolve();
    return new Promise(() => undefined);
  });
  await gone.promise;
  await command.kill9();
}

function readLogEvents({ events }: Ports) {
  return readWholeLog(events);
}

function withoutPosition(log: Awaited<ReturnType<typeof readLogEvents>>): object[] {
  return log.map(({ position: _, ...event }) => event);
}

function listTypesAfter(count: number, log: Awaited<ReturnType<typeof readLogEvents>>): string[] {
  return log.slice(count).map(({ type }) => type);
}

/** Returns the records between the first and the last line, sorted: each store lists claims in its own order. */
function readArchiveRecords(targets: TargetStores, name: string): string[] {
  return targets.readLines(name).slice(1, -1).sort();
}
