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

/** A clock whose monotonic time a test moves. */
class MovedClock extends SystemClock {
  moved = 0;

  override monotonic(): number {
    return super.monotonic() + this.moved;
  }
}

describe('A name', () => {
  let server: DnsServer;
  const clock = new MovedClock();
  afterEach(() => server.stop());

  async function namesOf(ttl: number, of: Clock = clock): Promise<Names> {
    server = await DnsServer.start(ANSWERS, ttl);
    return new Names(await configOf({ WEBHOOK_DNS_SERVERS: server.address }), of);
  }

  it('has its addresses of both kinds, IPv4 first', async () =>
    expect(await (await namesOf(0)).addressesOf(NAME)).toEqual(['127.0.0.1', '::1']));

  it('may have addresses of one kind alone', async () => expect(await (await namesOf(0)).addressesOf('ipv6.example.com')).toEqual(['::1']));

  it('is looked up again each time when its server says so', async () => {
    const names = await namesOf(0);
    expect([await names.addressesOf(NAME), await names.addressesOf(NAME)]).toEqual([['127.0.0.1', '::1'], ['127.0.0.2']]);
  });

  it('is kept for 30 s at most, however long its server says', async () => {
    const names = await namesOf(86_400);
    await names.addressesOf(NAME);
    clock.moved += 29_000;
    expect(await names.addressesOf(NAME)).toEqual(['127.0.0.1', '::1']);
    clock.moved += 2_000;
    expect(await names.addressesOf(NAME)).toEqual(['127.0.0.2']);
  });

  it('has one lookup at a time, whoever asks', async () => {
    const names = await namesOf(0);
    await Promise.all([names.addressesOf(NAME), names.addressesOf(NAME), names.addressesOf(`${NAME.toUpperCase()}.`)]);
    expect(server.questions.sort()).toEqual([`${NAME} A`, `${NAME} AAAA`]);
  });

  it.each([
    ['does not exist', 'missing.example.com', 'ENOTFOUND'],
    ['has no address', 'empty.example.com', 'ENODATA'],
    ['has a server that never answers', SILENT, 'ETIMEOUT'],
  ])('says so when it %s', async (_, name, detail) => {
    await expect((await namesOf(0)).addressesOf(name)).rejects.toMatchObject({ code: 'NAME_NOT_RESOLVED', detail });
  });

  it('is resolved beside forty names whose servers never answer', async () => {
    const names = await namesOf(0);
    const silent = Object.keys(SILENT_ONES).map((name) => names.addressesOf(name).catch(() => 'silent'));
    const first = await Promise.race([...silent, names.addressesOf(NAME)]);
    expect(first).toEqual(['127.0.0.1', '::1']);
    await Promise.all(silent);
  });

  it('of the hosts file needs no server', async () => {
    expect(await (await namesOf(0)).addressesOf('localhost')).toContain('127.0.0.1');
    expect(server.questions).toEqual([]);
  });
});
