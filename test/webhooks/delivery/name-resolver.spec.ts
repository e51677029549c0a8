import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { type Clock, SystemClock } from '../../../src/kernel/clock.js';
import { NameResolver } from '../../../src/webhooks/delivery/name-resolver.js';
import { DnsServer, type Ttl } from '../../support/dns-server.js';
import { readTestConfig } from '../test-config.js';

const SECOND_MS = 1_000;
const NAME = 'receiver.example.com';
const SILENT = 'silent.example.com';
const SILENT_ONES = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.${SILENT}`, null]));
const ANSWERS = {
  ...SILENT_ONES,
  [NAME]: [['127.0.0.1', '::1'], ['127.0.0.2']],
  [SILENT]: null,
  'ipv6.example.com': [['::1']],
  'empty.example.com': [[]],
  'half-empty.example.com': [[]],
  'half-empty.example.com AAAA': null,
  'half.example.com': [['127.0.0.1', '::1']],
  'half.example.com AAAA': null,
  'other-half.example.com': [['127.0.0.1', '::1']],
  'other-half.example.com A': null,
};

/** Node's name of a question to a name server. */
const QUESTION = 'QUERYWRAP';

/** A clock whose monotonic time a test advances. */
class AdjustableClock extends SystemClock {
  offsetMs = 0;

  override monotonic(): number {
    return super.monotonic() + this.offsetMs;
  }

  /** Shortens the waits for servers that never answer. */
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms < SECOND_MS ? ms : ms / 10, signal);
  }
}

describe('The name resolver', () => {
  let server: DnsServer;
  const clock = new AdjustableClock();
  afterEach(() => server.stop());

  async function createResolver(ttl: Ttl, clockToUse: Clock = clock): Promise<NameResolver> {
    server = await DnsServer.start(ANSWERS, ttl);
    return new NameResolver(await readTestConfig({ WEBHOOK_DNS_SERVERS: server.address }), clockToUse);
  }

  it('returns the addresses of both families, IPv4 first', async () =>
    expect(await (await createResolver(0)).resolve(NAME)).toEqual(['127.0.0.1', '::1']));

  it('returns the addresses of a name that has one family only', async () =>
    expect(await (await createResolver(0)).resolve('ipv6.example.com')).toEqual(['::1']));

  it('looks up a name with a TTL of zero at each call', async () => {
    const resolver = await createResolver(0);
    expect([await resolver.resolve(NAME), await resolver.resolve(NAME)]).toEqual([['127.0.0.1', '::1'], ['127.0.0.2']]);
  });

  it('caches a name for at most 30 s, even with a longer TTL', async () => {
    const resolver = await createResolver(86_400);
    await resolver.resolve(NAME);
    clock.offsetMs += 29_000;
    expect(await resolver.resolve(NAME)).toEqual(['127.0.0.1', '::1']);
    clock.offsetMs += 2_000;
    expect(await resolver.resolve(NAME)).toEqual(['127.0.0.2']);
  });

  it.each([
    { A: 5, AAAA: 86_400 },
    { A: 86_400, AAAA: 5 },
  ])('caches a name until the first of its addresses ends: %j', async (ttl) => {
    const resolver = await createResolver(ttl);
    await resolver.resolve(NAME);
    clock.offsetMs += 4_000;
    expect(await resolver.resolve(NAME)).toEqual(['127.0.0.1', '::1']);
    clock.offsetMs += 2_000;
    expect(await resolver.resolve(NAME)).toEqual(['127.0.0.2']);
  });

  it('shares one lookup among concurrent callers', async () => {
    const resolver = await createResolver(0);
    await Promise.all([resolver.resolve(NAME), resolver.resolve(NAME), resolver.resolve(`${NAME.toUpperCase()}.`)]);
    expect(server.questions.sort()).toEqual([`${NAME} A`, `${NAME} AAAA`]);
  });

  it.each([
    ['does not exist', 'missing.example.com', 'ENOTFOUND'],
    ['has no address', 'empty.example.com', 'ENODATA'],
    ['has a server that never answers', SILENT, 'ETIMEOUT'],
    ['has no IPv4 address, and a server that never answers for IPv6', 'half-empty.example.com', 'ETIMEOUT'],
  ])('rejects a name that %s', async (_, name, detail) => {
    await expect((await createResolver(0)).resolve(name)).rejects.toMatchObject({ code: 'NAME_NOT_RESOLVED', detail });
  });

  it.each([
    ['half.example.com', ['127.0.0.1']],
    ['other-half.example.com', ['::1']],
  ])('does not wait for the family that the server of %s never answers', async (name, addresses) => {
    const resolver = await createResolver(0);
    const silent = resolver.resolve(SILENT).catch(() => 'silent');
    expect(await Promise.race([silent, resolver.resolve(name)])).toEqual(addresses);
    await silent;
  });

  it.each(['half.example.com', SILENT])(
    'leaves no question of %s open, which would delay the end of the process',
    async (name) => {
      const resolver = await createResolver(0);
      const open = new Set<number>();
      const init = (id: number, type: string) => void (type === QUESTION && open.add(id));
      const hook = createHook({ init, before: (id) => void open.delete(id) }).enable();
      const ended = resolver.resolve(name).catch(() => 'silent');
      expect(open.size).toBe(2);
      await ended;
      await setImmediate();
      hook.disable();

      expect(open.size).toBe(0);
    },
  );

  it('resolves a name while the servers of forty other names never answer', async () => {
    const resolver = await createResolver(0);
    const silent = Object.keys(SILENT_ONES).map((name) => resolver.resolve(name).catch(() => 'silent'));
    const first = await Promise.race([...silent, resolver.resolve(NAME)]);
    expect(first).toEqual(['127.0.0.1', '::1']);
    await Promise.all(silent);
  });

  it('resolves a name of the hosts file without a name server', async () => {
    expect(await (await createResolver(0)).resolve('localhost')).toContain('127.0.0.1');
    expect(server.questions).toEqual([]);
  });
});
