import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { collect, createEvents } from '../../contracts/events.js';
import { ServerFixture, setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';

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
    [
      'esdb://admin:hunter2@127.0.0.1?keepAliveInterval=often',
      /keepAliveInterval has to be a whole number of milliseconds/,
    ],
    ['esdb://admin:hunter2@127.0.0.1?defaultDeadline=0', /defaultDeadline has to be a whole number above 0/],
    [
      'esdb://admin:hunter2@127.0.0.1?nodePreference=x',
      /nodePreference has to be leader, follower, random or read_only_replica/,
    ],
    ['esdb://admin:hunter2@127.0.0.1?tls', /tls has no value that can be read/],
    ['esdb://admin:hunter2@127.0.0.1?', /^expected esdb:/],
    ['esdb://admin:hunter2@127.0.0.1?tls=true&', /there is no option ""/],
    ['esdb://admin:hunter2@127.0.0.1?tls=no', /tls has to be true or false/],
    ['esdb://admin:hunter2@127.0.0.1:x1', /each host has to be host:port/],
    ['esdb://admin:hunter2@127.0.0.1:2113,other:99999', /each host has to be host:port/],
    ['esdb://admin:%hunter2@127.0.0.1', /^expected esdb:/],
    [
      'esdb://admin:hunter2@127.0.0.1?tlsCAFile=/nowhere/ca.crt',
      /tlsCAFile names a file that cannot be read \(ENOENT\)/,
    ],
    [
      'esdb://127.0.0.1?userCertFile=/nowhere/user.crt',
      /userCertFile names a file.*; userCertFile and userKeyFile are needed both/,
    ],
    [
      'esdb://admin:hunter2@127.0.0.1:x?tlz=1&nodePreference=x',
      /host:port.*; there is no option "tlz"; nodePreference/,
    ],
  ])('is refused before anything is sent: %s', (connection, mistake) => {
    const open = () => openEventStoreDb({ connection });

    expect(open).toThrow(mistake);
    expect(open).not.toThrow(/hunter2/);
  });

  it.each([
    'esdb://127.0.0.1:2113?tls=false',
    'esdb://admin:p%40ss%3Aword@one:2113,two:2113,three:2113?nodePreference=leader',
    'esdb+discover://admin:changeit@cluster.example.com:2113?keepAliveInterval=10000',
  ])('is accepted: %s', async (connection) => {
    await openEventStoreDb({ connection }).close();
  });
});

describe('A connection to EventStoreDB over TLS', () => {
  const [certificate, key] = ['server.crt', 'server.key'].map((name) => readFileSync(join(FILES, name), 'utf8')) as [
    string,
    string,
  ];
  const cluster = setUpServerFixture({ tls: { certificate, key, user: 'admin', password: 'p@ss:word' } });
  const at = (user: string) =>
    `esdb://${user}@localhost:${cluster.current.server.port}?tlsCAFile=${join(FILES, 'server.crt')}`;

  it('sends its credentials with every call', async () => {
    const store = cluster.current.openStore({ connection: at('admin:p%40ss%3Aword') });
    await store.append(STREAM, 'none', createEvents(1));

    expect(await collect(store.readStream(STREAM))).toHaveLength(1);
    expect(await store.readHead()).not.toBe('');
    for await (const page of store.follow({ after: '' }, AbortSignal.timeout(5_000))) {
      expect(page.events).toHaveLength(1);
      break;
    }
  });

  it('is refused with other credentials', async () => {
    const store = cluster.current.openStore({ connection: at('admin:changeit') });

    await expect(store.append(STREAM, 'none', createEvents(1))).rejects.toThrow(
      'EventStoreDB: access denied: the user may not write to jar-1',
    );
    await expect(store.readHead()).rejects.toThrow(
      'EventStoreDB: access denied: the user may not read $all: make it an administrator, or',
    );
  });

  it('needs neither user nor password with a client certificate', async () => {
    const certified = await ServerFixture.open({ tls: { certificate, key, authority: certificate } });
    const files = `tlsCAFile=${join(FILES, 'server.crt')}&userCertFile=${join(FILES, 'server.crt')}&userKeyFile=${join(FILES, 'server.key')}`;
    const store = certified.openStore({ connection: `esdb://localhost:${certified.server.port}?${files}` });
    await store.append(STREAM, 'none', createEvents(1));

    expect(await collect(store.readStream(STREAM))).toHaveLength(1);
    expect(certified.server.calls[0]).toEqual({ method: 'append', requiresLeader: true });
    await certified.close();
  });
});

describe('A connection to a cluster of EventStoreDB', () => {
  it('finds the leader', async () => {
    const cluster = await ServerFixture.open();
    const store = cluster.openStore({ connection: `esdb://127.0.0.1:1,127.0.0.1:${cluster.server.port}?tls=false` });

    expect(await store.append(STREAM, 'none', createEvents(1))).toMatchObject({ revision: 0 });
    await cluster.close();
  });

  it('finds the leader later when no node responds at first', async () => {
    const cluster = await ServerFixture.open();
    const connection = `esdb://127.0.0.1:1,127.0.0.1:${cluster.server.port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`;
    const store = cluster.openStore({ connection });

    await cluster.restart(async () => {
      await expect(store.append(STREAM, 'none', createEvents(1))).rejects.toMatchObject({
        name: 'StoreUnavailable',
        maybeWritten: false,
      });
      await expect(store.readHead()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    });

    expect(await store.append(STREAM, 'none', createEvents(1))).toMatchObject({ revision: 0 });
    await cluster.close();
  });
});
