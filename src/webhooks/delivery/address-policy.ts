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
  'For a receiver on your machine, run `npm run ops -- webhooks listen`, or start the service with';
const CIDRS_HINT = 'WEBHOOK_ALLOW_CIDRS=127.0.0.0/8,::1/128';
const HTTP_HINT = 'WEBHOOK_ALLOW_HTTP=true';
const MAX_CACHED_ADDRESSES = 1_000;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

type Address = IPv4 | IPv6;

/** Thrown when a host has an address to which no connection may be opened. */
export class BlockedAddress extends Error {
  readonly code = 'BLOCKED_ADDRESS';

  constructor(
    readonly host: string,
    /** The refused address, or null where the caller must not learn it. */
    readonly address: string | null,
  ) {
    super(`${host} is not a public address`);
    this.name = 'BlockedAddress';
  }
}

/** Decides to which addresses deliveries may go: public ones, and those that the configuration allows. */
@Injectable()
export class AddressPolicy {
  private readonly allowedRanges: readonly [Address, number][];
  private readonly allowHttp: boolean;
  /** The decision for each address. It never changes; the addresses of a name do. */
  private readonly decisions = new LruCache<string, boolean>(MAX_CACHED_ADDRESSES);

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
    const isHttpRefused = url.protocol === 'http:' && !this.allowHttp;
    if (!this.isAllowedHost(url)) {
      const settings = isHttpRefused ? `${CIDRS_HINT} and ${HTTP_HINT}` : CIDRS_HINT;
      return `The host is not a public address. ${LOCAL_RECEIVER_HINT} ${settings}.`;
    }
    if (!isHttpRefused) return null;
    const hint = isPublicHost(url) ? '' : ` ${LOCAL_RECEIVER_HINT} ${HTTP_HINT}.`;
    return `The URL must begin with https://.${hint}`;
  }

  /**
   * Resolves the host of an attempt and checks that every address is allowed. No other address may be used.
   * @throws BlockedAddress, NameNotResolved
   */
  async resolve(url: URL): Promise<readonly string[]> {
    const literal = parseAddress(url);
    return this.requireAllowed(url, literal === null ? await this.resolver.resolve(url.hostname) : [literal]);
  }

  /** Does the same as `resolve` for a host that needs no lookup; returns null for any other host, or a blocked one. */
  resolveKnown(url: URL): readonly string[] | null {
    const literal = parseAddress(url);
    const known = literal === null ? this.resolver.findKnown(url.hostname) : [literal];
    const allowed = known === null ? [] : this.selectAllowed(url, known);
    return allowed.length === 0 ? null : allowed;
  }

  private requireAllowed(url: URL, addresses: readonly string[]): readonly string[] {
    const allowed = this.selectAllowed(url, addresses);
    if (allowed.length > 0) return allowed;
    const refused = addresses.find((address) => !this.isAllowed(address));
    // Where no private address is allowed, nobody learns which ones the names of the service's network have.
    throw new BlockedAddress(url.hostname, (this.allowedRanges.length > 0 && refused) || null);
  }

  /**
   * One address that is not allowed refuses all, because the owner of a name may mix addresses at will. Only `localhost`
   * is this machine's own name.
   */
  private selectAllowed({ hostname }: URL, addresses: readonly string[]): readonly string[] {
    const allowed = addresses.filter((address) => this.isAllowed(address));
    return allowed.length === addresses.length || removeTrailingDots(hostname) === 'localhost' ? allowed : [];
  }

  private isAllowed(text: string): boolean {
    const cached = this.decisions.get(text);
    if (cached !== undefined) return cached;
    const isAllowed = this.decide(text);
    this.decisions.set(text, isAllowed);
    return isAllowed;
  }

  private decide(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return isGlobalUnicast(address) || this.allowedRanges.some((range) => isWithin(address, range));
  }

  /** A configuration that allows private addresses allows private names too. */
  private isAllowedHost(url: URL): boolean {
    const address = parseAddress(url);
    return address === null ? this.allowedRanges.length > 0 || isPublicHost(url) : this.isAllowed(address);
  }
}

/** Returns whether the host is a public address, or a name that may have one. */
function isPublicHost(url: URL): boolean {
  const address = parseAddress(url);
  if (address !== null) return isGlobalUnicast(ipaddr.process(address));
  const name = removeTrailingDots(url.hostname);
  return name.includes('.') && !RESERVED_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
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
