import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Recent } from '../../engine/recent.js';
import { Clock } from '../../kernel/clock.js';
import { HostsFile } from './hosts-file.js';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Of one lookup, over all name servers. */
const LONGEST_LOOKUP_MS = 5_000;
/** An address may change sooner than its name server says. */
const LONGEST_KEPT_SECONDS = 30;
const KEPT_NAMES = 10_000;
/** The system's name servers are read when a resolver is made: they change on a machine that moves. */
const RESOLVER_LASTS_MS = 60_000;
/** A reason of its own, since a made one costs more than the wait. */
const ENOUGH = 'enough';

/** A name has no address, or none was found in time. `detail`: a code of the resolver. */
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
 * Resolves the names of receivers by a resolver of its own. The system's resolver works on two names at once in the whole process: names
 * whose servers never answer would hold up all others. A name has one lookup at a time, whoever asks for it.
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

  /** At least one. @throws NameNotResolved */
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
    // IPv4 first: more machines have a way to it.
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
