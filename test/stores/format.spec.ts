import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import type { Config } from '../../src/config/config.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { openEmbedded } from '../../src/stores/embedded/embedded.js';
import { Stores } from '../../src/stores/stores.js';
import { SeededRandom } from '../support/clock.js';
import { createTempFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { Databases, onMongo } from './mongodb/server.js';
import { Folder } from './support/folder.js';

const NEWER = 99;

describe('An embedded store to which newer code has written', () => {
  const folder = Folder.each();

  it('is refused when it is opened', async () => {
    await folder.open();
    raiseFormat(folder.file);

    await expect(openEmbedded({ file: folder.file })).rejects.toMatchObject({ name: 'NewerStore' });
  });

  it('ends a running service, and lets no service start', async () => {
    const dataDir = await createTempFolder();
    const service = await ServiceProcess.start(dataDir);
    raiseFormat(`${dataDir}/store.sqlite`);

    expect(await service.waitForExit()).toBe(78);
    expect(service.output).toContain(`written by a newer version of the service (${NEWER})`);
    await expect(ServiceProcess.start(dataDir)).rejects.toThrow(`written by a newer version of the service (${NEWER})`);
  });
});

onMongo((server) => {
  const databases = Databases.each(server);

  describe('A database to which newer code has written', () => {
    it('is refused by older code, which does not change its format', async () => {
      await raiseFormatIn(databases.url);

      await expect(databases.open()).rejects.toMatchObject({ name: 'NewerStore' });
      expect(await readFormatIn(databases.url)).toBe(NEWER);
    });

    it('stops a running process', async () => {
      const { format } = await databases.open();
      expect(await format.read()).toBe(format.supported);
      const config = { stores: { eventStore: 'esdb://127.0.0.1:1?tls=false', mongodb: databases.url } } as Config;
      const stores = await Stores.open(config, new SystemClock(), new SeededRandom(1));
      await raiseFormatIn(databases.url);

      expect(await stores.failed).toMatchObject({ name: 'NewerStore' });
      await stores.close();
    });

    it('gets the format of every newer code that runs on it', async () => {
      await databases.open();

      expect(await readFormatIn(databases.url)).toBeGreaterThan(0);
    });
  });
});

function raiseFormat(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec(`pragma user_version = ${NEWER}`);
  db.close();
}

async function raiseFormatIn(url: string): Promise<void> {
  await withDatabase(url, (marks) => marks.updateOne({ _id: 'store' }, { $set: { format: NEWER } }, { upsert: true }));
}

async function readFormatIn(url: string): Promise<number | undefined> {
  return withDatabase(url, async (marks) => (await marks.findOne({}))?.format);
}

type FormatRows = ReturnType<typeof getFormatRows>;

function getFormatRows(client: MongoClient) {
  return client.db().collection<{ _id: string; format: number }>('format');
}

async function withDatabase<T>(url: string, work: (marks: FormatRows) => Promise<T>): Promise<T> {
  const client = new MongoClient(url);
  try {
    return await work(getFormatRows(client));
  } finally {
    await client.close();
  }
}
