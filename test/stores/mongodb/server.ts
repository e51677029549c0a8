import { MongoClient } from 'mongodb';
import { newUuid } from '../../../src/kernel/ids.js';
import { type MongoOptions, type MongoStores, openMongo } from '../../../src/stores/mongodb/mongodb.js';
import { MongoJava } from '../../support/mongo-java/mongo-java.js';

const LIVE = process.env.TEST_MONGODB_URL;
const MISSING = LIVE === undefined ? MongoJava.missing : null;

/**
 * Runs the tests of a file on a live MongoDB or on its substitute. Without both, the run prints this and skips the
 * tests.
 */
export function onMongo(tests: (server: TestServer) => void): void {
  const server = new TestServer();
  if (MISSING !== null)
    return skipTests(`skipped: MongoDB: TEST_MONGODB_URL is not set and ${MISSING}`, () => tests(server));

  describe(`MongoDB (${NAME})`, () => {
    beforeAll(() => server.start());
    afterAll(() => server.stop());
    tests(server);
  });
}

/** Prints the reason, because Jest does not report a file whose tests are all skipped. */
function skipTests(reason: string, tests: () => void): void {
  process.stderr.write(`${reason}\n`);
  describe.skip(reason, tests);
}

export const IS_LIVE = LIVE !== undefined;
/** The name of the store in the contracts. */
export const NAME = LIVE === undefined ? 'mongo-java-server' : 'the live server';

/** Provides one server for a file of tests, and a separate database for each test. */
export class TestServer {
  private java: MongoJava | undefined;

  async start(): Promise<void> {
    if (LIVE === undefined) this.java = await MongoJava.start();
  }

  async stop(): Promise<void> {
    await this.java?.stop();
  }

  /** Creates an empty database and returns its URL. */
  createDatabase(): string {
    const [, server, query = ''] = /^([^/]+:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(LIVE ?? this.java!.url)!;
    return `${server}/test-${newUuid()}${query}`;
  }

  async dropDatabase(url: string): Promise<void> {
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  }
}

/** Creates a database before each test; after the test it closes the stores and drops the database. */
export class Databases {
  url = '';
  private readonly opened: MongoStores[] = [];

  static each(server: TestServer): Databases {
    const databases = new Databases();
    beforeEach(() => {
      databases.url = server.createDatabase();
    });
    afterEach(async () => {
      await Promise.all(databases.opened.splice(0).map((stores) => stores.close()));
      await server.dropDatabase(databases.url);
    });
    return databases;
  }

  async open(options: Partial<MongoOptions> = {}): Promise<MongoStores> {
    const stores = await openMongo({ url: this.url, ...options });
    this.opened.push(stores);
    return stores;
  }
}
