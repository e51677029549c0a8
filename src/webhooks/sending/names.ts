import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Recent } from '../../engine/recent.js';
import { Clock } from '../../kernel/clock.js';
import { HostsFile } from './hosts-file.js';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Limits one lookup, over all name servers. */
const LONGEST_LOOKUP_MS = 5_000;
/** Limits the TTL of a record, since an address may change before the TTL ends. */
const LONGEST_KEPT_SECONDS = 30;
const KEPT_NAMES = 10_000;
/** Only a new resolver reads the system's name servers, which change when a machine changes its network. */
const RESOLVER_LASTS_MS = 60_000;
/** A string reason avoids creating an Error per abort. */
const ENOUGH = 'not needed any more';

/** Thrown when a name has no address, or no address was found in time. `detail`: a code of the resolver. */
export class NameNotResolved extends Error {
  readonly code = 'NAME_NOT_RESOLVED';

  constructor(
    readonly host: string,
    readonly detail: string,
  ) {
    super(`${host} was not resolved: ${detail}`);
    this.name = 'NameNotResolved';
  }
}

interface Found {
  readonly address: string;
  readonly ttl: number;
}

interface Kept {
  readonly addresses: readonly string[];
  readonly until: number;
}

/**
 * Resolves the names of receivers with its own resolver. The system's resolver handles two names at a time in the whole
 * process, so names whose servers never answer would block all others. Concurrent callers share one lookup of a name.
 */
@Injectable()
export class Names {
  private readonly kept = new Recent<string, Kept>(KEPT_NAMES);
  private readonly underWay = new Map<string, Promise<readonly string[]>>();
  private readonly hosts = new HostsFile();
  private readonly servers: readonly string[];
  private resolver: Resolver | null = null;
  private resolverMadeAt = -Infinity;

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    this.servers = webhooks.dnsServers;
  }

  /** Returns at least one address. @throws NameNotResolved */
  async addressesOf(host: string): Promise<readonly string[]> {
    const name = host.toLowerCase().replace(/\.$/, '');
    const now = this.clock.monotonic();
    const known = this.hosts.addressesOf(name, now) ?? this.keptOf(name, now);
    if (known !== null) return known;
    const lookup = this.underWay.get(name) ?? this.look(name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, lookup);
    return lookup;
  }

  private keptOf(name: string, now: number): readonly string[] | null {
    const kept = this.kept.get(name);
    return kept !== undefined && now < kept.until ? kept.addresses : null;
  }

  private async look(name: string): Promise<readonly string[]> {
    const found: Found[] = [];
    const faults: string[] = [];
    const resolver = this.currentResolver();
    const taken = (lookup: Promise<Found[]>) =>
      lookup.then(
        (records) => void found.push(...records),
        ({ code }: NodeJS.ErrnoException) => void faults.push(code ?? 'UNKNOWN'),
      );
    const both = Promise.all([taken(resolver.resolve4(name, { ttl: true })), taken(resolver.resolve6(name, { ttl: true }))]);
    const enough = new AbortController();
    await Promise.race([both, this.clock.sleep(LONGEST_LOOKUP_MS, enough.signal)]).finally(() => enough.abort(ENOUGH));
    if (found.length === 0) throw new NameNotResolved(name, faults.find((code) => code !== 'ENODATA') ?? faults[0] ?? 'ETIMEOUT');
    return this.keep(name, found);
  }

  private keep(name: string, found: readonly Found[]): readonly string[] {
    // IPv4 comes first: more machines can reach it.
    const addresses = found.map(({ address }) => address).sort((a, b) => isIP(a) - isIP(b));
    const seconds = Math.min(LONGEST_KEPT_SECONDS, ...found.map(({ ttl }) => ttl));
    if (seconds > 0) this.kept.set(name, { addresses, until: this.clock.monotonic() + seconds * 1_000 });
    return addresses;
  }

  private currentResolver(): Resolver {
    const now = this.clock.monotonic();
    if (this.resolver !== null && now - this.resolverMadeAt < RESOLVER_LASTS_MS) return this.resolver;
    this.resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.servers.length > 0) this.resolver.setServers(this.servers);
    this.resolverMadeAt = now;
    return this.resolver;
  }
}
