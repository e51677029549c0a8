import { type Clock, SystemClock } from '../../../src/kernel/clock.js';
import { NameResolver } from '../../../src/webhooks/delivery/name-resolver.js';
import { DnsServer } from '../../support/dns-server.js';
import { readTestConfig } from '../test-config.js';

const NAME = 'receiver.example.com';
const SILENT = 'silent.example.com';
const SILENT_ONES = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.${SILENT}`, null]));
const ANSWERS = {
  ...SILENT_ONES,
  [NAME]: [['127.0.0.1', '::1'], ['127.0.0.2']],
  [SILENT]: null,
  'ipv6.example.com': [['::1']],
  'empty.example.com': [[]],
  'half.example.com': [['127.0.0.1', '::1']],
  'half.example.com AAAA': null,
  'other-half.example.com': [['127.0.0.1', '::1']],
  'other-half.example.com A': null,
};

/** A clock whose monotonic time a test advances. */
class AdjustableClock extends SystemClock {
  offsetMs = 0;

  override monotonic(): number {
    return super.monotonic() + this.offsetMs;
  }
}

describe('The name resolver', () => {
  let server: DnsServer;
  const clock = new AdjustableClock();
  afterEach(() => server.stop());

  async function createResolver(ttl: number, clockToUse: Clock = clock): Promise<NameResolver> {
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

  it('shares one lookup among concurrent callers', async () => {
    const resolver = await createResolver(0);
    await Promise.all([resolver.resolve(NAME), resolver.resolve(NAME), resolver.resolve(`${NAME.toUpperCase()}.`)]);
    expect(server.questions.sort()).toEqual([`${NAME} A`, `${NAME} AAAA`]);
  });

  it.each([
    ['does not exist', 'missing.example.com', 'ENOTFOUND'],
    ['has no address', 'empty.example.com', 'ENODATA'],
    ['has a server that never answers', SILENT, 'ETIMEOUT'],
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
