import { SystemClock, type Clock } from '../../../src/kernel/clock.js';
import { Names } from '../../../src/webhooks/sending/names.js';
import { DnsServer } from '../../support/dns-server.js';
import { configOf } from '../config.js';

const NAME = 'receiver.example.com';
const SILENT = 'silent.example.com';
const SILENT_ONES = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.${SILENT}`, null]));
const ANSWERS = {
  ...SILENT_ONES,
  [NAME]: [['127.0.0.1', '::1'], ['127.0.0.2']],
  [SILENT]: null,
  'ipv6.example.com': [['::1']],
  'empty.example.com': [[]],
};

/** A clock whose monotonic time a test advances. */
class MovedClock extends SystemClock {
  moved = 0;

  override monotonic(): number {
    return super.monotonic() + this.moved;
  }
}

describe('The name resolver', () => {
  let server: DnsServer;
  const clock = new MovedClock();
  afterEach(() => server.stop());

  async function namesOf(ttl: number, of: Clock = clock): Promise<Names> {
    server = await DnsServer.start(ANSWERS, ttl);
    return new Names(await configOf({ WEBHOOK_DNS_SERVERS: server.address }), of);
  }

  it('returns the addresses of both families, IPv4 first', async () =>
    expect(await (await namesOf(0)).addressesOf(NAME)).toEqual(['127.0.0.1', '::1']));

  it('returns the addresses of a name that has one family only', async () =>
    expect(await (await namesOf(0)).addressesOf('ipv6.example.com')).toEqual(['::1']));

  it('looks up a name with a TTL of zero at each call', async () => {
    const names = await namesOf(0);
    expect([await names.addressesOf(NAME), await names.addressesOf(NAME)]).toEqual([['127.0.0.1', '::1'], ['127.0.0.2']]);
  });

  it('caches a name for at most 30 s, even with a longer TTL', async () => {
    const names = await namesOf(86_400);
    await names.addressesOf(NAME);
    clock.moved += 29_000;
    expect(await names.addressesOf(NAME)).toEqual(['127.0.0.1', '::1']);
    clock.moved += 2_000;
    expect(await names.addressesOf(NAME)).toEqual(['127.0.0.2']);
  });

  it('shares one lookup among concurrent callers', async () => {
    const names = await namesOf(0);
    await Promise.all([names.addressesOf(NAME), names.addressesOf(NAME), names.addressesOf(`${NAME.toUpperCase()}.`)]);
    expect(server.questions.sort()).toEqual([`${NAME} A`, `${NAME} AAAA`]);
  });

  it.each([
    ['does not exist', 'missing.example.com', 'ENOTFOUND'],
    ['has no address', 'empty.example.com', 'ENODATA'],
    ['has a server that never answers', SILENT, 'ETIMEOUT'],
  ])('rejects a name that %s', async (_, name, detail) => {
    await expect((await namesOf(0)).addressesOf(name)).rejects.toMatchObject({ code: 'NAME_NOT_RESOLVED', detail });
  });

  it('resolves a name while the servers of forty other names never answer', async () => {
    const names = await namesOf(0);
    const silent = Object.keys(SILENT_ONES).map((name) => names.addressesOf(name).catch(() => 'silent'));
    const first = await Promise.race([...silent, names.addressesOf(NAME)]);
    expect(first).toEqual(['127.0.0.1', '::1']);
    await Promise.all(silent);
  });

  it('resolves a name of the hosts file without a name server', async () => {
    expect(await (await namesOf(0)).addressesOf('localhost')).toContain('127.0.0.1');
    expect(server.questions).toEqual([]);
  });
});
