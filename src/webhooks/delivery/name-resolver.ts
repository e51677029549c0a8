import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { LruCache } from '../../engine/lru-cache.js';
import { Clock } from '../../kernel/clock.js';
import { HostsFile } from './hosts-file.js';

const SERVER_TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Limits one lookup, over all name servers. */
const LOOKUP_TIMEOUT_MS = 5_000;
/** How long the addresses of one family wait for those of the other one (RFC 8305). */
const OTHER_FAMILY_TIMEOUT_MS = 50;
/** Limits the TTL of a record, since an address may change before the TTL ends. */
const MAX_TTL_SECONDS = 30;
const MAX_CACHED_NAMES = 10_000;
/** A string reason avoids creating an Error per abort. */
const NOT_NEEDED = 'not needed any more';

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

interface AddressRecord {
  readonly address: string;
  readonly ttl: number;
}

interface CachedAddresses {
  readonly addresses: readonly string[];
  readonly until: number;
}

/**
 * Resolves the names of receivers with its own resolver. The system's resolver handles two names at a time in the whole
 * process, so names whose servers never answer would block all others. Concurrent callers share one lookup of a name.
 */
@Injectable()
export class NameResolver {
  private readonly cache = new LruCache<string, CachedAddresses>(MAX_CACHED_NAMES);
  private readonly pendingLookups = new Map<string, Promise<readonly string[]>>();
  private readonly hostsFile = new HostsFile();
  private readonly servers: readonly string[];

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    this.servers = webhooks.dnsServers;
  }

  /** Returns at least one address. @throws NameNotResolved */
  async resolve(host: string): Promise<readonly string[]> {
    const known = this.findKnown(host);
    if (known !== null) return known;
    const name = toName(host);
    const lookup = this.pendingLookups.get(name) ?? this.lookUp(name).finally(() => this.pendingLookups.delete(name));
    this.pendingLookups.set(name, lookup);
    return lookup;
  }

  /** Returns the addresses of a name that needs no lookup; null for any other name. */
  findKnown(host: string): readonly string[] | null {
    const name = toName(host);
    const now = this.clock.monotonic();
    return this.hostsFile.findAddresses(name, now) ?? this.findCached(name, now);
  }

  private findCached(name: string, now: number): readonly string[] | null {
    const cached = this.cache.get(name);
    return cached !== undefined && now < cached.until ? cached.addresses : null;
  }

  private async lookUp(name: string): Promise<readonly string[]> {
    const resolver = this.createResolver();
    const lookup = new Lookup([resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })]);
    const timer = new AbortController();
    const wait = (ms: number) => this.clock.sleep(ms, timer.signal);
    await Promise.race([
      lookup.ended,
      lookup.found.then(() => wait(OTHER_FAMILY_TIMEOUT_MS)),
      wait(LOOKUP_TIMEOUT_MS),
    ]).finally(() => timer.abort(NOT_NEEDED));
    const { records, error } = lookup;
    // An open question keeps the process alive for seconds.
    resolver.cancel();
    if (records.length === 0) throw new NameNotResolved(name, error);
    return this.addToCache(name, records);
  }

  private addToCache(name: string, records: readonly AddressRecord[]): readonly string[] {
    // IPv4 comes first: more machines can reach it.
    const addresses = records.map(({ address }) => address).sort((a, b) => isIP(a) - isIP(b));
    const seconds = Math.min(MAX_TTL_SECONDS, ...records.map(({ ttl }) => ttl));
    if (seconds > 0) this.cache.set(name, { addresses, until: this.clock.monotonic() + seconds * 1_000 });
    return addresses;
  }

  /**
   * Returns a resolver for one lookup. It reads the system's name servers, which change when a machine changes its
   * network, and its unanswered questions can be cancelled.
   */
  private createResolver(): Resolver {
    const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    return resolver;
  }
}

/** The questions for the addresses of both families, with what is known of their answers. */
class Lookup {
  readonly records: AddressRecord[] = [];
  /** Resolves when all questions are answered. */
  readonly ended: Promise<unknown>;
  /** Resolves when the first address is known. */
  readonly found: Promise<void>;
  private readonly errorCodes: string[] = [];
  private readonly count: number;

  constructor(questions: readonly Promise<AddressRecord[]>[]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.found = promise;
    this.count = questions.length;
    const collect = (answers: AddressRecord[]) => {
      this.records.push(...answers);
      if (answers.length > 0) resolve();
    };
    const fail = ({ code }: NodeJS.ErrnoException) => void this.errorCodes.push(code ?? 'UNKNOWN');
    this.ended = Promise.all(questions.map((question) => question.then(collect, fail)));
  }

  /** The reason why no address was found. Only a family without addresses hides no reason of the other one. */
  get error(): string {
    if (this.errorCodes.length < this.count) return 'ETIMEOUT';
    return this.errorCodes.find((code) => code !== 'ENODATA') ?? 'ENODATA';
  }
}

function toName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Provided by a demo, which looks no name up. */
export abstract class NameResolverOverride extends NameResolver {}
