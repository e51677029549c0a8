import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { all, events } from '../../contracts/events.js';
import { eachHouse, House } from '../../support/eventstoredb/house.js';

const STREAM = 'jar-1';
const FILES = join(import.meta.dirname, '../../support/eventstoredb');

describe('A connection string of EventStoreDB', () => {
  it.each([
    ['mongodb://127.0.0.1', /^expected esdb:/],
    ['esdb://', /^expected esdb:/],
    ['esdb://admin:pass:word@127.0.0.1', /^expected esdb:.*percent-encoded$/],
    ['esdb://127.0.0.1:2113', /a user and a password are needed, or tls=false/],
    ['esdb://admin:hunter2@127.0.0.1?tls=false', /credentials are not sent with tls=false/],
    ['esdb://127.0.0.1?tls=false&throwOnAppendFailure=false', /throwOnAppendFailure must stay true/],
    ['esdb://admin:hunter2@127.0.0.1?tlsVerifyCert=false', /name the authority in tlsCAFile/],
    ['esdb://admin:hunter2@127.0.0.1?tlz=true', /there is no option "tlz"/],
    ['esdb://admin:hunter2@127.0.0.1?keepAliveInterval=often', /cannot be read/],
    ['esdb://admin:hunter2@127.0.0.1?tlsCAFile=/nowhere/ca.crt', /File was not found/],
  ])('is refused before anything is sent: %s', (connection, mistake) => {
    const open = () => openEventStoreDb({ connection });

    expect(open).toThrow(mistake);
    expect(open).not.toThrow(/hunter2/);
  });

  it.each([
    'esdb://127.0.0.1:2113?tls=false',
    'esdb://admin:p%40ss%3Aword@one:2113,two:2113,three:2113?nodePreference=leader',
    'esdb+discover://admin:changeit@cluster.example.com:2113?keepAliveInterval=10000',
  ])('is taken: %s', async (connection) => {
    await openEventStoreDb({ connection }).close();
  });
});

describe('A connection to EventStoreDB over TLS', () => {
  const [certificate, key] = ['server.crt', 'server.key'].map((name) => readFileSync(join(FILES, name), 'utf8')) as [string, string];
  const house = eachHouse({ tls: { certificate, key, user: 'admin', password: 'p@ss:word' } });
  const at = (user: string) => `esdb://${user}@localhost:${house.current.server.port}?tlsCAFile=${join(FILES, 'server.crt')}`;

  it('says who it is with every call', async () => {
    const store = house.current.store({ connection: at('admin:p%40ss%3Aword') });
    await store.append(STREAM, 'none', events(1));

    expect(await all(store.readStream(STREAM))).toHaveLength(1);
    expect(await store.head()).not.toBe('');
    for await (const page of store.follow({ after: '' }, AbortSignal.timeout(5_000))) {
      expect(page.events).toHaveLength(1);
      break;
    }
  });

  it('is refused to anybody else', async () => {
    const store = house.current.store({ connection: at('admin:changeit') });

    await expect(store.append(STREAM, 'none', events(1))).rejects.toMatchObject({ type: 'access-denied' });
    await expect(store.head()).rejects.toMatchObject({ type: 'access-denied' });
  });
});

describe('A connection to a cluster of EventStoreDB', () => {
  it('finds the node that leads', async () => {
    const house = await House.open();
    const store = house.store({ connection: `esdb://127.0.0.1:1,127.0.0.1:${house.server.port}?tls=false` });

    expect(await store.append(STREAM, 'none', events(1))).toMatchObject({ revision: 0 });
    await house.close();
  });

  it('finds it later when nobody answers at first', async () => {
    const house = await House.open();
    const connection = `esdb://127.0.0.1:1,127.0.0.1:${house.server.port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`;
    const store = house.store({ connection });

    await house.restart(async () => {
      await expect(store.append(STREAM, 'none', events(1))).rejects.toMatchObject({ name: 'StoreUnavailable', maybeWritten: false });
      await expect(store.head()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    });

    expect(await store.append(STREAM, 'none', events(1))).toMatchObject({ revision: 0 });
    await house.close();
  });
});
