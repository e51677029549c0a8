import { MongoClient } from 'mongodb';
import { newUuid } from '../../../src/kernel/ids.js';
import { openMongo, type MongoOptions, type MongoStores } from '../../../src/stores/mongodb/mongodb.js';
import { MongoJava } from '../../support/mongo-java/mongo-java.js';

const LIVE = process.env.TEST_MONGODB_URL;
const MISSING = LIVE === undefined ? MongoJava.missing : null;

/** The tests of a file, on a live MongoDB or on what stands in for it. Where there is neither, the run says so and skips them. */
export function onMongo(tests: (server: TestServer) => void): void {
  const server = new TestServer();
  if (MISSING !== null) return skipped(`skipped: MongoDB: TEST_MONGODB_URL is not set and ${MISSING}`, () => tests(server));

  describe(`MongoDB (${NAME})`, () => {
    beforeAll(() => server.start());
    afterAll(() => server.stop());
    tests(server);
  });
}

/** The runner names nothing of a file in which it skips everything. */
function skipped(why: string, tests: () => void): void {
  process.stderr.write(`${why}\n`);
  describe.skip(why, tests);
}

export const IS_LIVE = LIVE !== undefined;
/** What the contracts call it. */
export const NAME = LIVE === undefined ? 'mongo-java-server' : 'the live server';

/** One server for a file of tests, and a database of its own for each test. */
export class TestServer {
  private java: MongoJava | undefined;

  async start(): Promise<void> {
    if (LIVE === undefined) this.java = await MongoJava.start();
  }

  async stop(): Promise<void> {
    await this.java?.stop();
  }

  /** An empty database, by its URL. */
  fresh(): string {
    const [, server, query = ''] = /^([^/]+:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(LIVE ?? this.java!.url)!;
    return `${server}/test-${newUuid()}${query}`;
  }

  async drop(url: string): Promise<void> {
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  }
}

/** A database for each test; what was opened on it is closed, and it is gone, behind the test. */
export class Databases {
  url = '';
  private readonly opened: MongoStores[] = [];

  static each(server: TestServer): Databases {
    const databases = new Databases();
    beforeEach(() => {
      databases.url = server.fresh();
    });
    afterEach(async () => {
      await Promise.all(databases.opened.splice(0).map((stores) => stores.close()));
      await server.drop(databases.url);
    });
    return databases;
  }

  async open(options: Partial<MongoOptions> = {}): Promise<MongoStores> {
    const stores = await openMongo({ url: this.url, ...options });
    this.opened.push(stores);
    return stores;
  }
}
