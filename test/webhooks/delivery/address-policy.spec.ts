import { SystemClock } from '../../../src/kernel/clock.js';
import { AddressPolicy } from '../../../src/webhooks/delivery/address-policy.js';
import { NameResolver } from '../../../src/webhooks/delivery/name-resolver.js';
import { DnsServer } from '../../support/dns-server.js';
import { readTestConfig } from '../test-config.js';

async function createPolicy(environment: Record<string, string> = {}): Promise<AddressPolicy> {
  const config = await readTestConfig(environment);
  return new AddressPolicy(config, new NameResolver(config, new SystemClock()));
}

async function resolve(policy: AddressPolicy, host: string): Promise<unknown> {
  return policy.resolve(new URL(`https://${host}/`)).catch((error: unknown) => error);
}

describe('The address policy of endpoint URLs', () => {
  it.each([
    'https://receiver.example.com/hook?a=1',
    'https://receiver.example.com:8443/',
    'https://not-there-yet.example.org',
    'https://93.184.215.14/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://xn--mnchen-3ya.example.com/',
  ])('accepts %s', async (url) => expect((await createPolicy()).findUrlError(url)).toBeNull());

  it.each([
    ['a text without a scheme', 'receiver.example.com'],
    ['plain HTTP', 'http://receiver.example.com'],
    ['another scheme', 'ftp://receiver.example.com'],
    ['a script', 'javascript:alert(1)'],
    ['a URL with a password', 'https://user:secret@receiver.example.com'],
    ['localhost', 'https://localhost/hook'],
    ['localhost with a dot', 'https://localhost./hook'],
    ['localhost with two dots', 'https://localhost../hook'],
    ['a loopback address with two dots', 'https://127.0.0.1../'],
    ['a name under localhost', 'https://a.localhost'],
    ['a name of a local network', 'https://printer.local'],
    ['a cloud metadata name', 'https://metadata.google.internal/'],
    ['a name without a dot', 'https://receiver'],
    ['a loopback address', 'https://127.0.0.1'],
    ['a loopback address with a dot', 'https://127.0.0.1./'],
    ['a loopback address as one number', 'https://2130706433/'],
    ['a short loopback address', 'https://127.1/'],
    ['a hexadecimal loopback address', 'https://0x7f.1/'],
    ['an octal loopback address', 'https://0177.0.0.1/'],
    ['a full-width loopback address', 'https://１２７.０.０.１/'],
    ['the unspecified address', 'https://0.0.0.0/'],
    ['a private address', 'https://10.0.0.1/'],
    ['another private address', 'https://172.16.0.1/'],
    ['a third private address', 'https://192.168.1.1/'],
    ['a carrier address', 'https://100.64.0.1/'],
    ['a link-local address', 'https://169.254.169.254/latest/meta-data'],
    ['a multicast address', 'https://224.0.0.1/'],
    ['a broadcast address', 'https://255.255.255.255/'],
    ['a benchmark address', 'https://198.18.0.1/'],
    ['a documentation address', 'https://192.0.2.1/'],
    ['the IPv6 loopback address', 'https://[::1]/'],
    ['the unspecified IPv6 address', 'https://[::]/'],
    ['an IPv4-mapped loopback address', 'https://[::ffff:127.0.0.1]/'],
    ['an IPv4-compatible loopback address', 'https://[::7f00:1]/'],
    ['a NAT64 address of the loopback', 'https://[64:ff9b::7f00:1]/'],
    ['a 6to4 address of the loopback', 'https://[2002:7f00:1::]/'],
    ['a Teredo address', 'https://[2001:0:7f00:1::]/'],
    ['a unique local address', 'https://[fd00::1]/'],
    ['an IPv6 link-local address', 'https://[fe80::1]/'],
    ['an IPv6 documentation address', 'https://[2001:db8::1]/'],
    ['port 0', 'https://receiver.example.com:0/'],
    ['backslashes for slashes', String.raw`https:\\receiver.example.com\hook`],
    ['no slashes', 'https:receiver.example.com/hook'],
    ['three slashes', 'https:///receiver.example.com/hook'],
    ['an empty label', 'https://a..example.com/'],
    ['a label of 64 letters', `https://${'a'.repeat(64)}.example.com/`],
    ['a URL with white space around it', ' https://receiver.example.com'],
    ['a URL with white space in it', 'https://receiver.example.com/a b'],
    ['a URL with a line break in it', 'https://receiver.example.com/\nhook'],
    ['a URL with a control character in it', 'https://receiver.example.com/\u007f'],
    ['a URL with a text direction override in it', 'https://receiver.example.com/\u202egnp.hook'],
    ['a URL with a text direction isolate in it', 'https://receiver.example.com/\u2066hook'],
    ['a URL with a zero-width space in it', 'https://receiver.example.com/ho\u200bok'],
    ['a host name with a zero-width space in it', 'https://rece\u200biver.example.com/'],
    ['a host name with a soft hyphen in it', 'https://rece\u00adiver.example.com/'],
    ['a URL that begins with a byte order mark', '\ufeffhttps://receiver.example.com/'],
    ['a URL with only a user name', 'https://shop.example@receiver.example.com/'],
    ['a URL with only a password', 'https://:secret@receiver.example.com/'],
    ['a URL of more than 2,048 characters', `https://receiver.example.com/${'a'.repeat(2_048)}`],
  ])('refuses %s', async (_, url) => expect((await createPolicy()).findUrlError(url)).not.toBeNull());

  it.each(['http://localhost:4242/hooks', 'https://127.0.0.1/hooks'])(
    'explains how to reach a local receiver when it refuses %s',
    async (url) => {
      const error = (await createPolicy()).findUrlError(url);
      for (const hint of ['webhooks listen', 'WEBHOOK_ALLOW_CIDRS']) expect(error).toContain(hint);
    },
  );

  const [PRIVATE, HTTP] = ['WEBHOOK_ALLOW_CIDRS', 'WEBHOOK_ALLOW_HTTP'];

  it.each([
    ['the loopback over HTTP', 'http://127.0.0.1:4242/', {}, [PRIVATE, HTTP]],
    ['the loopback over HTTPS', 'https://127.0.0.1:4242/', {}, [PRIVATE]],
    ['the loopback over HTTP where it is allowed', 'http://127.0.0.1/', { [PRIVATE]: '127.0.0.0/8' }, [HTTP]],
    ['a name of its network where that is allowed', 'http://hooks.internal/', { [PRIVATE]: '10.0.0.0/8' }, [HTTP]],
    ['a private address where HTTP is allowed', 'http://10.0.0.1/', { [HTTP]: 'true' }, [PRIVATE]],
    ['a public name', 'http://receiver.example.com/', {}, []],
    ['a public address where private ones are allowed', 'http://93.184.215.14/', { [PRIVATE]: '127.0.0.0/8' }, []],
  ])('names the settings without which it refuses %s', async (_, url, environment, settings) => {
    const error = (await createPolicy(environment)).findUrlError(url)!;
    expect([PRIVATE, HTTP].filter((setting) => error.includes(setting))).toEqual(settings);
  });

  it('accepts plain HTTP where the configuration allows it', async () => {
    const policy = await createPolicy({ WEBHOOK_ALLOW_HTTP: 'true' });
    expect(policy.findUrlError('http://receiver.example.com')).toBeNull();
    expect(policy.findUrlError('ftp://receiver.example.com')).not.toBeNull();
  });

  it('accepts private addresses in the allowed networks', async () => {
    const policy = await createPolicy({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,fd00::/8' });
    expect(policy.findUrlError('https://127.0.0.1')).toBeNull();
    expect(policy.findUrlError('https://[::ffff:127.0.0.1]')).toBeNull();
    expect(policy.findUrlError('https://[fd00::1]')).toBeNull();
    expect(policy.findUrlError('https://localhost')).toBeNull();
    expect(policy.findUrlError('https://10.0.0.1')).not.toBeNull();
    expect(policy.findUrlError('https://[::1]')).not.toBeNull();
  });
});

describe('The lookup of a host', () => {
  it('refuses a name that resolves to a private address', async () =>
    expect(await resolve(await createPolicy(), 'localhost')).toMatchObject({ code: 'BLOCKED_ADDRESS', address: null }));

  it('refuses an address outside the allowed networks, and names it', async () => {
    const policy = await createPolicy({ WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' });
    const refused = { code: 'BLOCKED_ADDRESS', address: '127.0.0.1' };
    expect(await resolve(policy, '127.0.0.1')).toMatchObject(refused);
    expect(await resolve(policy, 'localhost')).toMatchObject(refused);
  });

  it('refuses a name when one of its addresses is not allowed', async () => {
    const server = await DnsServer.start({ 'mixed.example.com': [['10.0.0.1', '127.0.0.1']] });
    const policy = await createPolicy({ WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8', WEBHOOK_DNS_SERVERS: server.address });
    expect(await resolve(policy, 'mixed.example.com')).toMatchObject({
      code: 'BLOCKED_ADDRESS',
      address: '127.0.0.1',
    });
    await server.stop();
  });

  it.each([
    ['127.0.0.0/8', ['127.0.0.1']],
    ['::1/128', ['::1']],
    ['127.0.0.0/8,::1/128', ['127.0.0.1', '::1']],
  ])('uses the addresses of localhost that %s allows', async (allowed, addresses) => {
    const policy = await createPolicy({ WEBHOOK_ALLOW_CIDRS: allowed });
    for (const host of ['localhost', 'localhost.', 'LOCALHOST']) {
      const known = policy.resolveKnown(new URL(`https://${host}/`));
      expect(known?.toSorted()).toEqual(addresses);
      expect(await resolve(policy, host)).toEqual(known);
    }
  });

  it('returns the address that the policy has checked', async () => {
    const policy = await createPolicy({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    expect(await resolve(policy, '127.0.0.1')).toEqual(['127.0.0.1']);
  });

  it('fails for a name that does not exist', async () => {
    const server = await DnsServer.start({});
    const policy = await createPolicy({ WEBHOOK_DNS_SERVERS: server.address });
    expect(await resolve(policy, 'no-such-host.example.com')).toMatchObject({
      code: 'NAME_NOT_RESOLVED',
      detail: 'ENOTFOUND',
    });
    await server.stop();
  });
});
