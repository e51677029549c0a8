import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { Config } from '../../config.js';
import { Recent } from '../../engine/recent.js';
import { faultInForm } from '../domain/endpoint-url.js';
import { Names } from './names.js';

/** Name endings that are reserved for special uses, or so widely in private use that they will never be public. */
const RESERVED_ENDINGS = [
  ...['alt', 'arpa', 'corp', 'home', 'internal', 'intranet', 'invalid', 'lan'],
  ...['local', 'localdomain', 'localhost', 'onion', 'private', 'test'],
];
/** Azure's platform address: it lies in a public range, but only serves machines of that cloud. */
const CLOUD_HOST = '168.63.129.16';
const LOCAL_RECEIVERS =
  'For a receiver on your machine, run `npm run ops -- webhooks listen`, or start the service with WEBHOOK_ALLOW_CIDRS=127.0.0.0/8.';
const REMEMBERED_HOSTS = 1_000;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

type Address = IPv4 | IPv6;

/** Thrown when a host has an address to which no connection may be opened. */
export class BlockedAddress extends Error {
  readonly code = 'BLOCKED_ADDRESS';

  constructor(readonly host: string) {
    super(`${host} is not a public address`);
    this.name = 'BlockedAddress';
  }
}

/** The allowed addresses of a host; they stay fixed until the attempt calls `release`. */
export interface Dialled {
  readonly addresses: readonly string[];
  readonly release: () => void;
}

/** The addresses that the open attempts to one host may use. */
interface UnderWay {
  addresses: readonly string[];
  attempts: number;
}

/** Decides to which addresses deliveries may go: public ones, and those that the configuration allows. */
@Injectable()
export class Addresses {
  private readonly allowed: readonly [Address, number][];
  private readonly allowHttp: boolean;
  /** The decision for each URL host. It never changes; the addresses of a name do, and are checked at every attempt. */
  private readonly judged = new Recent<string, boolean>(REMEMBERED_HOSTS);

  /** Keyed by host. */
  private readonly underWay = new Map<string, UnderWay>();

  constructor(
    { webhooks }: Config,
    private readonly names: Names,
  ) {
    this.allowed = webhooks.allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
    this.allowHttp = webhooks.allowHttp;
  }

  /**
   * Returns what is wrong with the URL of an endpoint, or null. A name that does not resolve yet is accepted, since its
   * addresses are checked at every attempt.
   */
  faultIn(given: string): string | null {
    const fault = faultInForm(given);
    if (fault !== null) return fault;
    const url = new URL(given);
    if (!this.mayDial(url) || this.isReservedName(url)) return `The host is not a public address. ${LOCAL_RECEIVERS}`;
    return url.protocol === 'https:' || this.allowHttp ? null : 'The URL must begin with https://.';
  }

  /** Returns true for an allowed address, and for a name, whose addresses are checked after it is resolved. */
  mayDial(url: URL): boolean {
    const known = this.judged.get(url.hostname);
    if (known !== undefined) return known;
    const address = literalOf(url);
    const may = address === null || this.isDiallable(address);
    this.judged.set(url.hostname, may);
    return may;
  }

  /**
   * Resolves the host of an attempt and checks that every address is allowed. Connections use exactly these addresses
   * until the attempt releases them.
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

  /** The `lookup` function of new sockets: returns the addresses that the open attempt has checked. */
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

  /** A configuration that allows private addresses allows private names too. */
  private isReservedName(url: URL): boolean {
    if (this.allowed.length > 0 || literalOf(url) !== null) return false;
    const name = bare(url.hostname);
    return !name.includes('.') || RESERVED_ENDINGS.some((ending) => name === ending || name.endsWith(`.${ending}`));
  }
}

/**
 * Returns the IP address of a URL whose host is one. The URL parser has normalised octal, hexadecimal and single-number
 * forms.
 */
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
