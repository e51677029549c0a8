import ipaddr from 'ipaddr.js';

/** A host in the URL of an endpoint, and the reason why it is forbidden. */
export interface ForbiddenHost {
  readonly reason: string;
  readonly host: string;
}

/**
 * All ranges of the IANA registries of special-purpose and multicast addresses, including those marked as globally
 * reachable.
 */
const RANGES: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared address space'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.0.0/29', 'service continuity prefix'],
  ['192.0.0.8/32', 'dummy address'],
  ['192.0.0.9/32', 'port control anycast'],
  ['192.0.0.10/32', 'TURN anycast'],
  ['192.0.0.170/31', 'NAT64 discovery'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'AS112 direct delegation'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['255.255.255.255/32', 'broadcast'],
  ['::1/128', 'IPv6 loopback'],
  ['::/128', 'IPv6 unspecified'],
  ['::/96', 'IPv4-compatible'],
  ['::ffff:0.0.0.0/104', 'IPv4-mapped this network'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'local NAT64'],
  ['100::/64', 'discard only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/23', 'IPv6 protocol assignments'],
  ['2001::/32', 'Teredo'],
  ['2001:1::1/128', 'port control anycast'],
  ['2001:1::2/128', 'TURN anycast'],
  ['2001:1::3/128', 'service registration anycast'],
  ['2001:2::/48', 'IPv6 benchmarking'],
  ['2001:3::/32', 'IPv6 AMT'],
  ['2001:4:112::/48', 'IPv6 AS112'],
  ['2001:10::/28', 'ORCHID'],
  ['2001:20::/28', 'ORCHIDv2'],
  ['2001:30::/28', 'drone ids'],
  ['2001:db8::/32', 'IPv6 documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'IPv6 AS112 direct delegation'],
  ['3fff::/20', 'IPv6 documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'IPv6 link local'],
  ['fec0::/10', 'site local'],
  ['ff00::/8', 'IPv6 multicast'],
];

/** Typical targets of an attack, in dotted form. */
const TARGETS = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.100.100.200', '0.0.0.0'];

type Octets = readonly [number, number, number, number];
type Spelling = readonly [reason: string, spelled: (dotted: string, octets: Octets) => string];

const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, '0');
const octal = (value: number) => `0${value.toString(8)}`;
const numberOf = ([a, b, c, d]: Octets) => ((a * 256 + b) * 256 + c) * 256 + d;
const groups = ([a, b, c, d]: Octets) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const inverted = ([a, b, c, d]: Octets): Octets => [255 - a, 255 - b, 255 - c, 255 - d];
const digits = (dotted: string, zero: number) =>
  dotted.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
/** The circled zero has a separate code point. */
const circled = (dotted: string) =>
  dotted.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))));
const encoded = (dotted: string) => dotted.replace(/\d/g, (digit) => `%3${digit}`);

const SPELLINGS: readonly Spelling[] = [
  ['with a dot at its end', (dotted) => `${dotted}.`],
  ['with two dots at its end', (dotted) => `${dotted}..`],
  ['as one number', (_, octets) => String(numberOf(octets))],
  ['as one hexadecimal number', (_, octets) => `0x${hex(numberOf(octets), 8)}`],
  ['as one octal number', (_, octets) => octal(numberOf(octets))],
  ['in hexadecimal parts', (_, octets) => octets.map((octet) => `0x${hex(octet)}`).join('.')],
  ['in octal parts', (_, octets) => octets.map(octal).join('.')],
  ['in parts of each kind', (_, [a, b, c, d]) => `0x${hex(a)}.${octal(b)}.${c}.${d}`],
  ['in octal parts with zeros before', (_, octets) => octets.map((octet) => `0000${octal(octet)}`).join('.')],
  ['in two parts', (_, [a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`],
  ['in three parts', (_, [a, b, c, d]) => `${a}.${b}.${c * 256 + d}`],
  ['in full-width digits', (dotted) => digits(dotted, 0xff10)],
  ['in mathematical digits', (dotted) => digits(dotted, 0x1d7ce)],
  ['in circled digits', circled],
  ['in encoded digits', encoded],
  ['with ideographic dots', (dotted) => dotted.replaceAll('.', '。')],
  ['with full-width dots', (dotted) => dotted.replaceAll('.', '．')],
  ['with a soft hyphen', (dotted) => dotted.replace('.', '.\u00ad')],
  ['after a user name', (dotted) => `receiver.example.com@${dotted}`],
  ['after a user name and a password', (dotted) => `receiver.example.com:443@${dotted}`],
  ['after an empty user name', (dotted) => `@${dotted}`],
  ['before a backslash and an at sign', (dotted) => `${dotted}\\@receiver.example.com`],
  ['as a user name', (dotted) => `${dotted}@receiver.example.com`],
  ['before a fragment with an at sign', (dotted) => `${dotted}#@receiver.example.com`],
  ['mapped into IPv6', (dotted) => `[::ffff:${dotted}]`],
  ['mapped into IPv6, in full', (_, octets) => `[0:0:0:0:0:ffff:${groups(octets)}]`],
  ['compatible with IPv6', (dotted) => `[::${dotted}]`],
  ['translated into IPv6', (_, octets) => `[::ffff:0:${groups(octets)}]`],
  ['with the NAT64 prefix', (_, octets) => `[64:ff9b::${groups(octets)}]`],
  ['with a local NAT64 prefix', (_, octets) => `[64:ff9b:1::${groups(octets)}]`],
  ['as 6to4', (_, octets) => `[2002:${groups(octets)}::1]`],
  ['as a Teredo server', (_, octets) => `[2001:0:${groups(octets)}::1]`],
  ['as a Teredo client', (_, octets) => `[2001:0:4136:e378:8000:63bf:${groups(inverted(octets))}]`],
  ['as ISATAP', (_, octets) => `[fe80::5efe:${groups(octets)}]`],
];

const NAMES: readonly string[] = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'ｌｏｃａｌｈｏｓｔ',
    'a.localhost',
    'localhost.localdomain',
    'ip6-localhost',
  ],
  ...[
    'receiver',
    'wpad',
    'metadata',
    'instance-data',
    'kubernetes',
    'printer.local',
    'api.default.svc.cluster.local',
    'router.lan',
  ],
  ...[
    'metadata.google.internal',
    'host.docker.internal',
    'gateway.home.arpa',
    '1.0.0.127.in-addr.arpa',
    'ipv4only.arpa',
    'hidden.onion',
  ],
  ...['a.invalid', 'a.test', 'a.alt', 'a.corp', 'a.home', 'a.intranet', 'a.private'],
];

const ODD: readonly ForbiddenHost[] = [
  { reason: 'a cloud’s address for its own machines', host: '168.63.129.16' },
  { reason: 'a cloud’s address for its own machines, mapped into IPv6', host: '[::ffff:a83f:8110]' },
  { reason: 'a cloud’s IPv6 metadata', host: '[fd00:ec2::254]' },
  { reason: 'a cloud’s metadata', host: '192.0.0.192' },
  { reason: 'only a zero', host: '0' },
  { reason: 'an empty hexadecimal number', host: '0x' },
  { reason: 'a number that is too large', host: '4294967296' },
  { reason: 'a part that is too large', host: '127.0.0.256' },
  { reason: 'five parts', host: '127.0.0.0.1' },
  { reason: 'an invalid octal number', host: '0189.0.0.1' },
  { reason: 'a port in the brackets', host: '[::1:443' },
  { reason: 'a zone', host: '[fe80::1%25lo]' },
  { reason: 'a zone by its number', host: '[fe80::1%1]' },
  { reason: 'a zone of the loopback', host: '[::1%25lo]' },
  { reason: 'a zone of a public address', host: '[2606:2800:21f:cb07:6820:80da:af6b:8b2c%25eth0]' },
  { reason: 'IPv6 without brackets', host: '::1' },
  { reason: 'an address of a future IP version', host: '[v1.fe80::1]' },
  { reason: 'no host', host: '' },
  { reason: 'an encoded NUL', host: '127.0.0.1%00.example.com' },
  { reason: 'an encoded slash', host: '127.0.0.1%2f.example.com' },
];

function toRangeEnds([cidr, reason]: readonly [string, string]): ForbiddenHost[] {
  const kind = cidr.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  const ends = [kind.networkAddressFromCIDR(cidr), kind.broadcastAddressFromCIDR(cidr)].map((end) => end.toString());
  return [...new Set(ends)].map((end) => ({
    reason: `${reason} (${cidr})`,
    host: end.includes(':') ? `[${end}]` : end,
  }));
}

function spellAll(dotted: string): ForbiddenHost[] {
  const octets = dotted.split('.').map(Number) as unknown as Octets;
  return SPELLINGS.map(([reason, spell]) => ({ reason: `${dotted} ${reason}`, host: spell(dotted, octets) }));
}

const ALL: readonly ForbiddenHost[] = [
  ...RANGES.flatMap(toRangeEnds),
  ...TARGETS.flatMap(spellAll),
  ...NAMES.map((host) => ({ reason: 'a name that is not public', host })),
  ...ODD,
];

/** All forbidden hosts without duplicates. */
export const FORBIDDEN_HOSTS: readonly ForbiddenHost[] = [...new Map(ALL.map((row) => [row.host, row])).values()];

/** The addresses among the forbidden hosts, without duplicates, in the form of a resolver. */
export const FORBIDDEN_ADDRESSES: readonly string[] = [
  ...new Set(FORBIDDEN_HOSTS.flatMap(({ host }) => parseAddress(host) ?? [])),
];

function parseAddress(host: string): string | null {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return null;
  const bare = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

/** Public hosts that are close to forbidden ranges. */
export const PUBLIC_HOSTS: readonly string[] = [
  ...[
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
  ],
  ...[
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
  ],
  ...[
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.114.0',
    '223.255.255.255',
    '168.63.129.15',
    '134744072',
    '0x08080808',
  ],
  ...[
    '[2001:200::]',
    '[2001:db7:ffff::1]',
    '[2001:db9::]',
    '[2003::1]',
    '[2606:4700:4700::1111]',
    '[3ffe:ffff::]',
    '[::ffff:8.8.8.8]',
  ],
  ...[
    'receiver.example.com',
    'receiver.example.com.',
    '127.0.0.1.example.com',
    'localhost.example.com',
    'xn--mnchen-3ya.example',
  ],
];
