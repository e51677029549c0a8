import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { Config } from '../../config/config.js';
import { LruCache } from '../../engine/lru-cache.js';
import { findUrlError } from '../domain/endpoint-url.js';
import { NameResolver } from './name-resolver.js';

/** Name endings that are reserved for special uses, or so widely in private use that they will never be public. */
const RESERVED_SUFFIXES = [
  ...['alt', 'arpa', 'corp', 'home', 'internal', 'intranet', 'invalid', 'lan'],
  ...['local', 'localdomain', 'localhost', 'onion', 'private', 'test'],
];
/** Azure's platform address: it lies in a public range, but only serves machines of that cloud. */
const CLOUD_HOST = '168.63.129.16';
const LOCAL_RECEIVER_HINT =
  'For a receiver on your machine, run `npm run ops -- webhooks listen`, or start the service with WEBHOOK_ALLOW_CIDRS=127.0.0.0/8.';
const MAX_CACHED_HOSTS = 1_000;
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
export interface ResolvedHost {
  readonly addresses: readonly string[];
  readonly release: () => void;
}

/** The addresses that the open attempts to one host may use. */
interface OpenAttempts {
  addresses: readonly string[];
  attempts: number;
}

/** Decides to which addresses deliveries may go: public ones, and those that the configuration allows. */
@Injectable()
export class AddressPolicy {
  private readonly allowedRanges: readonly [Address, number][];
  private readonly allowHttp: boolean;
  /** The decision for each URL host. It never changes; the addresses of a name do, and are checked at every attempt. */
  private readonly decisions = new LruCache<string, boolean>(MAX_CACHED_HOSTS);

  /** Keyed by host. */
  private readonly openAttempts = new Map<string, OpenAttempts>();

  constructor(
    { webhooks }: Config,
    private readonly resolver: NameResolver,
  ) {
    this.allowedRanges = webhooks.allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
    this.allowHttp = webhooks.allowHttp;
  }

  /**
   * Returns what is wrong with the URL of an endpoint, or null. A name that does not resolve yet is accepted, since its
   * addresses are checked at every attempt.
   */
  findUrlError(text: string): string | null {
    const error = findUrlError(text);
    if (error !== null) return error;
    const url = new URL(text);
    if (!this.canConnect(url) || this.isReservedName(url))
      return `The host is not a public address. ${LOCAL_RECEIVER_HINT}`;
    return url.protocol === 'https:' || this.allowHttp ? null : 'The URL must begin with https://.';
  }

  /** Returns true for an allowed address, and for a name, whose addresses are checked after it is resolved. */
  canConnect(url: URL): boolean {
    const cached = this.decisions.get(url.hostname);
    if (cached !== undefined) return cached;
    const address = parseAddress(url);
    const isAllowed = address === null || this.isAllowed(address);
    this.decisions.set(url.hostname, isAllowed);
    return isAllowed;
  }

  /**
   * Resolves the host of an attempt and checks that every address is allowed. Connections use exactly these addresses
   * until the attempt releases them.
   * @throws BlockedAddress, NameNotResolved
   */
  async resolve(url: URL): Promise<ResolvedHost> {
    const { hostname } = url;
    if (!this.canConnect(url)) throw new BlockedAddress(hostname);
    const literal = parseAddress(url);
    if (literal !== null) return { addresses: [literal], release: () => undefined };
    const addresses = await this.resolveAllowed(hostname);
    const open = this.openAttempts.get(hostname) ?? { addresses, attempts: 0 };
    this.openAttempts.set(hostname, open);
    open.addresses = addresses;
    open.attempts++;
    return { addresses, release: () => this.release(hostname, open) };
  }

  /** The `lookup` function of new sockets: returns the addresses that the open attempt has checked. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const checked = this.openAttempts.get(hostname)?.addresses;
    Promise.resolve(checked ?? this.resolveAllowed(hostname)).then(
      (addresses) => {
        const found = addresses.map((address): LookupAddress => ({ address, family: isIP(address) }));
        return options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };

  private async resolveAllowed(hostname: string): Promise<readonly string[]> {
    const addresses = isIP(hostname) === 0 ? await this.resolver.resolve(hostname) : [hostname];
    if (!addresses.every((address) => this.isAllowed(address))) throw new BlockedAddress(hostname);
    return addresses;
  }

  private release(hostname: string, open: OpenAttempts): void {
    open.attempts--;
    if (open.attempts === 0) this.openAttempts.delete(hostname);
  }

  private isAllowed(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return isGlobalUnicast(address) || this.allowedRanges.some((range) => isWithin(address, range));
  }

  /** A configuration that allows private addresses allows private names too. */
  private isReservedName(url: URL): boolean {
    if (this.allowedRanges.length > 0 || parseAddress(url) !== null) return false;
    const name = removeTrailingDots(url.hostname);
    return !name.includes('.') || RESERVED_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  }
}

/**
 * Returns the IP address of a URL whose host is one. The URL parser has normalised octal, hexadecimal and single-number
 * forms.
 */
function parseAddress({ hostname }: URL): string | null {
  const host = removeTrailingDots(hostname).replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

function removeTrailingDots(hostname: string): string {
  return hostname.replace(/\.+$/, '');
}

function isGlobalUnicast(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === CLOUD_HOST) return false;
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6);
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
