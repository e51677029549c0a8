import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createEvents } from '../../contracts/events.js';
import { toConnectionString } from '../../support/eventstoredb/server.js';
import { setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';

const DEADLINE_MS = 1_000;
/** Longer than the delay before a retired connection is closed. */
const CLOSED_MS = 100;

describe('A connection to EventStoreDB that is retired after a failed call', () => {
  const cluster = setUpServerFixture();
  const sockets: Socket[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  /** Accepts connections at once and serves them after it is opened. */
  const gate = createServer((near) => {
    const far = connect(cluster.current.server.port, '127.0.0.1');
    for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined));
    void opened.then(() => near.pipe(far).pipe(near));
  });
  beforeEach(() => once(gate.listen(0, '127.0.0.1'), 'listening'));
  afterEach(() => {
    gate.close();
    for (const socket of sockets) socket.destroy();
  });

  it('still delivers the response to a running call', async () => {
    const { port } = gate.address() as AddressInfo;
    const store = cluster.current.openStore({ connection: toConnectionString(port), deadlineMs: DEADLINE_MS });
    const failing = store.append('jar-1', 'none', createEvents(1)).catch((error: unknown) => error);
    await delay(DEADLINE_MS / 2);
    const waiting = store.append('jar-2', 'none', createEvents(1));
    waiting.catch(() => undefined);
    expect(await failing).toMatchObject({ name: 'StoreUnavailable' });
    await delay(CLOSED_MS);
    open();

    expect(await waiting).toMatchObject({ revision: 0 });
  });
});
