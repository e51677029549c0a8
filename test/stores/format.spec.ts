import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { SystemClock } from '../../src/kernel/clock.js';
import { openEmbedded } from '../../src/stores/embedded/embedded.js';
import { Stores } from '../../src/stores/stores.js';
import type { Config } from '../../src/config.js';
import { SeededRandom } from '../support/clock.js';
import { freshFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { Databases, onMongo } from './mongodb/server.js';
import { Folder } from './support/folder.js';

const NEWER = 99;

describe('An embedded store to which newer code has written', () => {
  const folder = Folder.each();

  it('is refused when it is opened', async () => {
    await folder.open();
    raise(folder.file);

    await expect(openEmbedded({ file: folder.file })).rejects.toMatchObject({ name: 'NewerStore' });
  });

  it('ends a running service, and lets no service start', async () => {
    const dataDir = await freshFolder();
    const service = await ServiceProcess.start(dataDir);
    raise(`${dataDir}/store.sqlite`);

    expect(await service.end()).toBe(78);
    expect(service.output).toContain(`written by a newer version of the service (${NEWER})`);
    await expect(ServiceProcess.start(dataDir)).rejects.toThrow(`written by a newer version of the service (${NEWER})`);
  });
});

onMongo((server) => {
  const databases = Databases.each(server);

  describe('A database to which newer code has written', () => {
    it('is refused by older code, which does not change its format', async () => {
      await raiseIn(databases.url);

      await expect(databases.open()).rejects.toMatchObject({ name: 'NewerStore' });
      expect(await markIn(databases.url)).toBe(NEWER);
    });

    it('stops a running process', async () => {
      const { format } = await databases.open();
      expect(await format.read()).toBe(format.known);
      const config = { stores: { eventStore: 'esdb://127.0.0.1:1?tls=false', mongodb: databases.url } } as Config;
      const stores = await Stores.open(config, new SystemClock(), new SeededRandom(1));
      await raiseIn(databases.url);

      expect(await stores.failed).toMatchObject({ name: 'NewerStore' });
      await stores.close();
    });

    it('gets the format of every newer code that runs on it', async () => {
      await databases.open();

      expect(await markIn(databases.url)).toBeGreaterThan(0);
    });
  });
});

function raise(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec(`pragma user_version = ${NEWER}`);
  db.close();
}

async function raiseIn(url: string): Promise<void> {
  await within(url, (marks) => marks.updateOne({ _id: 'store' }, { $set: { format: NEWER } }, { upsert: true }));
}

async function markIn(url: string): Promise<number | undefined> {
  return within(url, async (marks) => (await marks.findOne({}))?.format);
}

type Marks = ReturnType<typeof marksOf>;

function marksOf(client: MongoClient) {
  return client.db().collection<{ _id: string; format: number }>('format');
}

async function within<T>(url: string, work: (marks: Marks) => Promise<T>): Promise<T> {
  const client = new MongoClient(url);
  try {
    return await work(marksOf(client));
  } finally {
    await client.close();
  }
}
