import { type MongoStores, openMongo } from '../../../src/stores/mongodb/mongodb.js';
import { at } from '../../contracts/documents.js';
import { IsolatedPrimary } from '../../support/mongo-java/isolated-primary.js';
import { IS_LIVE, onMongo } from './server.js';

const DUE = '2026-02-01T09:00:00.000Z';
const LEASE = { leaseMs: 60_000, holder: 'one' };

onMongo((server) => {
  if (IS_LIVE) return it.skip('needs a server whose commands can be seen', () => undefined);

  let primary: IsolatedPrimary;
  let stores: MongoStores;
  beforeAll(async () => {
    primary = await IsolatedPrimary.startFor(server.createDatabase());
    stores = await openMongo({ url: primary.url });
  });
  afterAll(async () => {
    await stores.close();
    primary.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['rows by their ids', () => stores.models.load('jars', ['jar_1'])],
    ['a page of rows', () => stores.models.scan('jars', null, 9)],
    ['tombstones', () => stores.models.deleteTombstones('jars', at(1), 9)],
    ['documents', () => stores.models.find('jars', { where: {}, orderBy: 'id', ascending: true, limit: 9 })],
    ['a slice', () => stores.models.findSlice('jars', { where: {}, orderBy: 'id', limit: 9 })],
    ['the number of documents', () => stores.models.count('jars', {})],
    ['the catalogue', () => stores.catalogue.listEntries()],
    ['the names of checkpoints', () => stores.checkpoints.listCheckpointNames()],
    ['the next job', () => stores.jobs.findNextDue('mail')],
    ['jobs', () => stores.jobs.list({ queue: 'mail', limit: 9 })],
    ['jobs to claim', () => stores.jobs.claim('mail', { limit: 1, ...LEASE })],
    ['the sizes of queues', () => stores.jobs.readQueueStats()],
    ['claims of idempotency keys', () => stores.idempotency.listClaims(null, 9)],
    ['claims that have expired', () => stores.idempotency.sweep()],
    ['secrets', () => stores.vault.listEntries('', 9)],
  ])('limits the time of a read of %s on the server', async (_, read) => {
    await stores.jobs.enqueue([{ key: 'a', queue: 'mail', due: DUE, data: {} }]);
    primary.reads.length = 0;
    await read();

    expect(primary.reads).not.toEqual([]);
    for (const command of primary.reads) expect(Number(command.maxTimeMS)).toBeGreaterThan(0);
  });
});
