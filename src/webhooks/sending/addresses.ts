import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { Config } from '../../config.js';
import { Recent } from '../../engine/recent.js';
import { faultInForm } from '../domain/endpoint-url.js';
import { Names } from './names.js';

/** Reserved for special uses, or in private use so widely that nobody will ever have them on the Internet. */
const RESERVED_ENDINGS = [
  ...['alt', 'arpa', 'corp', 'home', 'internal', 'intranet', 'invalid', 'lan'],
  ...['local', 'localdomain', 'localhost', 'onion', 'private', 'test'],
];
/** Public by its number alone: a cloud answers there for its own machines. */
const CLOUD_HOST = '168.63.129.16';
const LOCAL_RECEIVERS =
  'For a receiver on your machine, run `npm run ops -- webhooks listen`, or start the service with WEBHOOK_ALLOW_CIDRS=127.0.0.0/8.';
const REMEMBERED_HOSTS = 1_000;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

type Address = IPv4 | IPv6;

/** No address of this host may be dialled. */
export class BlockedAddress extends Error {
  readonly code = 'BLOCKED_ADDRESS';

  constructor(readonly host: string) {
    super(`${host} is not a public address`);
    this.name = 'BlockedAddress';
  }
}

/** The addresses of a host, each of which may be dialled: for as long as an attempt at it lasts. */
export interface Dialled {
  readonly addresses: readonly string[];
  readonly release: () => void;
}

/** What an attempt that is under way has judged of a host. */
interface UnderWay {
  addresses: readonly string[];
  attempts: number;
}

/** Where deliveries may go: public addresses, and those that the configuration allows. */
@Injectable()
export class Addresses {
  private readonly allowed: readonly [Address, number][];
  private readonly allowHttp: boolean;
  /** How a URL's host was judged, which is the same at every dial. What a name resolves to is not. */
  private readonly judged = new Recent<string, boolean>(REMEMBERED_HOSTS);

  /** By host. */
  private readonly underWay = new Map<string, UnderWay>();

  constructor(
    { webhooks }: Config,
    private readonly names: Names,
  ) {
    this.allowed = webhooks.allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
    this.allowHttp = webhooks.allowHttp;
  }

  /** What is wrong with the URL of an endpoint, or null. A name that does not resolve yet is nothing wrong: it is judged at every dial. */
  faultIn(given: string): string | null {
    const fault = faultInForm(given);
    if (fault !== null) return fault;
    const url = new URL(given);
    if (!this.mayDial(url) || this.isReservedName(url)) return `The host is not a public address. ${LOCAL_RECEIVERS}`;
    return url.protocol === 'https:' || this.allowHttp ? null : 'The URL must begin with https://.';
  }

  /** Whether the host is a name, which is judged once it is resolved, or an address that may be dialled. */
  mayDial(url: URL): boolean {
    const known = this.judged.get(url.hostname);
    if (known !== undefined) return known;
    const address = literalOf(url);
    const may = address === null || this.isDiallable(address);
    this.judged.set(url.hostname, may);
    return may;
  }

  /**
   * Resolves and judges the host of an attempt: every address must be diallable. What was judged is what is dialled until it is released.
   * @throws BlockedAddress, NameNotResolved
   */
  async dial(url: URL): Promise<Dialled> {
    const { hostname } = url;
    if (!this.mayDial(url)) throw new BlockedAddress(hostname);
    const literal = literalOf(url);
    if (literal !== null) return { addresses: [literal], release: () => undefined };
    const addresses = await this.resolved(hostname);
    const underWay = this.underWay.get(hostname) ?? { addresses, attempts: 0 };
    this.underWay.set(hostname, underWay);
    underWay.addresses = addresses;
    underWay.attempts++;
    return { addresses, release: () => this.release(hostname, underWay) };
  }

  /** What a socket that is being opened asks for the addresses of its host. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const judged = this.underWay.get(hostname)?.addresses;
    Promise.resolve(judged ?? this.resolved(hostname)).then(
      (addresses) => {
        const found = addresses.map((address): LookupAddress => ({ address, family: isIP(address) }));
        return options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };

  private async resolved(hostname: string): Promise<readonly string[]> {
    const addresses = isIP(hostname) === 0 ? await this.names.addressesOf(hostname) : [hostname];
    if (!addresses.every((address) => this.isDiallable(address))) throw new BlockedAddress(hostname);
    return addresses;
  }

  private release(hostname: string, underWay: UnderWay): void {
    underWay.attempts--;
    if (underWay.attempts === 0) this.underWay.delete(hostname);
  }

  private isDiallable(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return isGlobalUnicast(address) || this.allowed.some((range) => isWithin(address, range));
  }

  /** Where private receivers are allowed, private names are too. */
  private isReservedName(url: URL): boolean {
    if (this.allowed.length > 0 || literalOf(url) !== null) return false;
    const name = bare(url.hostname);
    return !name.includes('.') || RESERVED_ENDINGS.some((ending) => name === ending || name.endsWith(`.${ending}`));
  }
}

/** The address in a URL that has one for a host. The parser has brought odd spellings (octal, hexadecimal, one number) into form. */
function literalOf({ hostname }: URL): string | null {
  const host = bare(hostname).replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

function bare(hostname: string): string {
  return hostname.replace(/\.+$/, '');
}

function isGlobalUnicast(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === CLOUD_HOST) return false;
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6);
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
