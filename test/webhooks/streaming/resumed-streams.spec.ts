import { randomInt } from 'node:crypto';
import { RandomChoices } from '../../faults/random-choices.js';
import { type Api, requireData } from '../../support/api.js';
import { SeededRandom } from '../../support/clock.js';
import { EventReader } from '../../support/event-reader.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';

const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const IS_LARGE = Number(process.env.PROPERTY_FACTOR ?? 1) > 1;
const PROCESSES = IS_LARGE ? 5 : 2;
const READERS_PER_PROCESS = IS_LARGE ? 20 : 5;
const BUSINESSES = IS_LARGE ? 100 : 10;
const EVENTS = IS_LARGE ? 400 : 80;
const KEY = Buffer.alloc(32, 'k').toString('base64');
const KEYS = { MASTER_KEY: KEY, KEY_PEPPER: KEY };
const TIMEOUT_MS = IS_LARGE ? 300_000 : 60_000;

/** A client that connects again with the last id that it has, until it has all events. */
class ResumingReader {
  readonly ids: string[] = [];
  private reader: EventReader | null = null;

  constructor(
    private readonly addresses: readonly string[],
    private readonly key: string,
    private readonly choices: RandomChoices,
  ) {}

  async connect(): Promise<void> {
    const headers = { authorization: `Bearer ${this.key}`, 'last-event-id': this.ids.at(-1) ?? '' };
    if (this.ids.length === 0) delete (headers as Partial<typeof headers>)['last-event-id'];
    this.reader = await EventReader.open(this.choices.pick(this.addresses), headers, ({ id }) => this.ids.push(id));
    if (this.reader.response.status === 429) await this.connect();
    else if (this.reader.response.status !== 200) throw new Error(`answered ${this.reader.response.status}`);
  }

  /** Cuts the connection when there is something to resume from. */
  async reconnect(): Promise<void> {
    if (this.ids.length === 0) return;
    await this.reader!.cut();
    await this.connect();
  }

  async waitFor(count: number): Promise<void> {
    while (this.ids.length < count) await this.reader!.waitFor(this.reader!.messages.length + 1);
  }

  close(): Promise<void> {
    return this.reader!.cut();
  }
}

describe(`Streams that are cut and resumed (FAULT_SEED=${SEED})`, () => {
  let service: Service;
  let others: Service[];
  let urls: string[];
  beforeAll(async () => {
    service = await startService(KEYS);
    others = [];
    for (let count = 1; count < PROCESSES; count++) others.push(await service.startAnother(KEYS));
    urls = [service, ...others].map(({ url }) => `${url}/v1/webhooks/events/stream`);
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const other of others) await other.running.close();
    await service.stop();
  });

  /** Publishes an event of each of the businesses in turn, while readers lose their connections. */
  async function publish(
    apis: readonly Api[],
    count: number,
    readers: readonly ResumingReader[],
    choices: RandomChoices,
  ) {
    for (let i = 0; i < count; i++) {
      await apis[i % apis.length]!.post('/v1/commerce/products', { name: `Product ${i}` });
      if (choices.isOneIn(3)) await choices.pick(readers).reconnect();
    }
  }

  async function listIds(api: Api, count: number): Promise<string[]> {
    const found: string[] = [];
    for (let after = ''; found.length < count;) {
      const { data, pagination } = (await api.get(`/v1/webhooks/events?event_type=product.*&limit=100${after}`)).body;
      found.push(...data.map(({ id }: { id: string }) => id));
      if (!pagination.has_more) break;
      after = `&after=${pagination.next_cursor}`;
    }
    return found.sort();
  }

  function expectSame(readers: readonly ResumingReader[], expected: readonly string[]): void {
    const [first] = readers;
    for (const { ids } of readers) {
      expect([...ids].sort()).toEqual(expected);
      expect(ids).toEqual(first!.ids);
    }
  }

  it(
    'give each of many readers of one business each event once, in the same order',
    async () => {
      const choices = new RandomChoices(new SeededRandom(SEED));
      const business = await service.createBusiness();
      const key = await service.createKey(business);
      const api = service.createApi(key);
      // A reader stays with its process, so that each process has as many streams as a business may have.
      const readers = urls.flatMap((url) =>
        Array.from({ length: READERS_PER_PROCESS }, () => new ResumingReader([url], key, choices)),
      );
      await Promise.all(readers.map((reader) => reader.connect()));
      await publish([api], EVENTS, readers, choices);
      await Promise.all(readers.map((reader) => reader.waitFor(EVENTS)));
      await Promise.all(readers.map((reader) => reader.close()));

      expectSame(readers, await listIds(api, EVENTS));
    },
    TIMEOUT_MS,
  );

  it(
    'give the reader of each of many businesses its own events once',
    async () => {
      const choices = new RandomChoices(new SeededRandom(SEED));
      const businesses: TestBusiness[] = [];
      for (let i = 0; i < BUSINESSES; i++) businesses.push(await service.createBusiness(`Business ${i}`, `owner ${i}`));
      const keys = await Promise.all(businesses.map((business) => service.createKey(business)));
      const apis = keys.map((key) => service.createApi(key));
      const readers = keys.map((key) => new ResumingReader(urls, key, choices));
      await Promise.all(readers.map((reader) => reader.connect()));
      const each = EVENTS / 10;
      await publish(apis, BUSINESSES * each, readers, choices);
      await Promise.all(readers.map((reader) => reader.waitFor(each)));
      await Promise.all(readers.map((reader) => reader.close()));

      for (const [i, reader] of readers.entries()) {
        const listed = requireData(await apis[i]!.get('/v1/webhooks/events?event_type=product.*&limit=100')) as {
          id: string;
        }[];
        expectSame([reader], listed.map(({ id }) => id).sort());
      }
    },
    TIMEOUT_MS,
  );
});
