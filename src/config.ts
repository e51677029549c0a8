import { Resolver } from 'node:dns';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { generatedKey, generatedSessionKey, generatedToken, type SessionKey } from './generated.js';
import { crashOf, type Crash } from './kernel/crash-points.js';
import { isLoopback } from './loopback.js';
import {
  flag,
  httpUrl,
  list,
  listOf,
  mistake,
  oneOf,
  readSettings,
  seconds,
  secret,
  setting,
  text,
  unknownNames,
  whole,
  type Environment,
  type Setting,
  type ValuesOf,
} from './settings.js';
import { EMBEDDED, eventStore, isAddress, mongoUrl, wrongInEventStore, wrongInMongo, type StoresAt } from './stores/address.js';

const KEY_BYTES = 32;
const STORE_FILE = 'store.sqlite';
const DEVELOPMENT_ISSUER = 'development';
const DEVELOPMENT_AUDIENCE = 'event-sourced-api';
const SESSION_KEYS_EXPECTED = 'an http(s) URL or an existing file';

const SETTINGS = {
  PORT: setting(whole(0, 65535), 3000, 'a port, 0 to 65535', '3000'),
  HOST: setting(text, '127.0.0.1', 'a host name or address', '127.0.0.1'),
  OPS_PORT: setting(whole(0, 65535), 3001, 'a port, 0 to 65535', '3001'),
  OPS_HOST: setting(text, '127.0.0.1', 'a host name or address', '127.0.0.1'),
  PUBLIC_URL: setting<string | null>(httpUrl, null, 'an http(s) URL', 'https://api.example.com'),
  DATA_DIR: setting(text, './data', 'a directory', './data'),
  EVENT_STORE: secret(
    eventStore,
    EMBEDDED,
    '"embedded", or esdb:// and where EventStoreDB is',
    'esdb://user:password@events.internal:2113',
  ),
  MONGODB_URL: secret<string | null>(
    mongoUrl,
    null,
    'mongodb:// and where MongoDB is',
    'mongodb://user:password@documents.internal/service',
  ),
  ROLE: setting(oneOf('all', 'api', 'projector', 'dispatcher'), 'all', 'all, api, projector or dispatcher', 'all'),
  MASTER_KEY: secret<Buffer | null>(key, null, '32 bytes in base64', 'the output of `openssl rand -base64 32`'),
  KEY_PEPPER: secret<Buffer | null>(key, null, '32 bytes in base64', 'the output of `openssl rand -base64 32`'),
  SESSION_JWKS: setting<string | null>(keySet, null, SESSION_KEYS_EXPECTED, 'https://login.example.com/.well-known/jwks.json'),
  SESSION_ISSUER: setting<string | null>(text, null, 'the issuer (iss) of session tokens', 'https://login.example.com/'),
  SESSION_AUDIENCE: setting<string | null>(text, null, 'the audience (aud) of session tokens', 'https://api.example.com'),
  SESSION_AUTHORIZED_PARTIES: setting<string[]>(list, [], 'comma-separated parties (azp)', 'web,mobile'),
  PLATFORM_REVIEWERS: setting<string[]>(list, [], 'comma-separated subjects (sub)', 'auth0|1,auth0|2'),
  PRODUCT_REVIEW: setting(oneOf('manual', 'auto'), 'manual', 'manual or auto', 'manual'),
  WEBHOOK_ALLOW_CIDRS: setting<string[]>(listOf(cidr), [], 'comma-separated CIDR blocks', '127.0.0.0/8,10.0.0.0/8'),
  WEBHOOK_ALLOW_HTTP: setting(flag, false, 'true or false', 'false'),
  WEBHOOK_RETRY_SCHEDULE: setting(
    listOf(seconds),
    [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
    'seconds, comma-separated',
    '5,300,1800',
  ),
  WEBHOOK_BREAKER_WAITS: setting(listOf(seconds), [60, 120, 180, 240, 300], 'seconds, comma-separated', '60,120,300'),
  WEBHOOK_ENDPOINT_LIMIT: setting(whole(1, 10_000), 20, 'a whole number, 1 to 10000', '20'),
  WEBHOOK_REPLAY_RATE: setting(whole(1, 10_000), 10, 'a whole number, 1 to 10000', '10'),
  WEBHOOK_TIMEOUT_MS: setting(whole(1, 600_000), 15_000, 'milliseconds, 1 to 600000', '15000'),
  WEBHOOK_ENDPOINT_CONCURRENCY: setting(whole(1, 1_000), 10, 'a whole number, 1 to 1000', '10'),
  WEBHOOK_ENDPOINT_RATE: setting(whole(1, 10_000), 50, 'a whole number, 1 to 10000', '50'),
  WEBHOOK_DNS_SERVERS: setting<string[]>(
    listOf(dnsServer),
    [],
    'comma-separated addresses, each with a port or without',
    '10.0.0.2,10.0.0.3:5353',
  ),
  OPS_TOKEN: secret<string | null>(text, null, 'a token', 'the output of `openssl rand -base64 32`'),
  RATE_LIMIT: setting(whole(0, 1_000_000), 100, 'requests a second, 0 for none', '100'),
  RATE_LIMIT_BURST: setting(whole(0, 1_000_000), 200, 'a whole number', '200'),
  CRASH_AT: setting<Crash | null>(crashOf, null, 'a crash point and which time, for tests', 'before-append:3'),
  LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'a level of pino, or silent', 'info'),
};

type Values = ValuesOf<typeof SETTINGS>;

/** Everything that is wrong with the environment, at once. The process exits with 78. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.name = 'ConfigError';
  }
}

/** What the service was started with, checked. */
export class Config {
  readonly port = this.values.PORT;
  readonly host = this.values.HOST;
  readonly opsPort = this.values.OPS_PORT;
  readonly opsHost = this.values.OPS_HOST;
  readonly dataDir = resolve(this.values.DATA_DIR);
  readonly stores: StoresAt = storesAt(this.values, this.dataDir);
  readonly role = this.values.ROLE;
  readonly masterKey = this.values.MASTER_KEY ?? generatedKey(this.dataDir, 'master.key', KEY_BYTES);
  readonly keyPepper = this.values.KEY_PEPPER ?? generatedKey(this.dataDir, 'pepper.key', KEY_BYTES);
  readonly opsToken = this.values.OPS_TOKEN ?? generatedToken(this.dataDir, 'ops.token');
  readonly session: SessionConfig = sessionOf(this.values, this.dataDir);
  readonly platformReviewers: readonly string[] = this.values.PLATFORM_REVIEWERS;
  readonly productReview = this.values.PRODUCT_REVIEW;
  readonly webhooks = webhooksOf(this.values);
  readonly rateLimit = { perSecond: this.values.RATE_LIMIT, burst: this.values.RATE_LIMIT_BURST };
  /** Where this process is to die; null but in tests. */
  readonly crashAt = this.values.CRASH_AT;
  readonly logLevel = this.values.LOG_LEVEL;
  private servedUrl: string | null = null;

  constructor(private readonly values: Values) {}

  /** Base of links in answers, without a slash at its end: as configured, or else where the service is reached. */
  get publicUrl(): string {
    return this.values.PUBLIC_URL ?? this.servedUrl ?? `http://${this.host}:${this.port}`;
  }

  servedAt(url: string): void {
    this.servedUrl = url;
  }
}

/** Where the keys of session tokens come from, and what the tokens must say. */
export interface SessionConfig {
  /** A URL, a file, or the development pair of the data directory. */
  readonly keys: { readonly url: string } | { readonly file: string } | { readonly development: SessionKey };
  readonly issuer: string;
  readonly audience: string;
  /** Empty: any. */
  readonly authorizedParties: readonly string[];
}

/** @throws ConfigError */
export function readConfig(env: Environment): { readonly config: Config; readonly warnings: readonly string[] } {
  const { values, mistakes } = readSettings(SETTINGS, env);
  const all = [...mistakes, ...mistakesInAddresses(values), ...missing(values)];
  if (all.length > 0) throw new ConfigError(all);
  return { config: new Config(values), warnings: [...unknownNames(SETTINGS, env), ...openDoors(values)] };
}

/** One variable as the service would read it. */
export interface ShownSetting {
  readonly name: string;
  /** As text; `(hidden)` for a secret, null when neither given nor defaulted. */
  readonly value: string | null;
  readonly is_default: boolean;
}

/** Every variable of the service, in the order of the documentation. @throws ConfigError */
export function showSettings(env: Environment): ShownSetting[] {
  readConfig(env);
  return Object.entries(SETTINGS).map(([name, { fallback, secret }]: [string, Setting<unknown>]) => {
    const given = env[name]?.trim() ?? '';
    const value = given === '' ? shownFallback(fallback) : secret && given !== fallback ? '(hidden)' : given;
    return { name, value, is_default: given === '' };
  });
}

function shownFallback(fallback: unknown): string | null {
  return fallback === null ? null : typeof fallback === 'string' ? fallback : JSON.stringify(fallback).replaceAll(/[[\]"]/g, '');
}

/** Warns of settings that are dangerous on a service that others can reach. */
function openDoors({ WEBHOOK_ALLOW_CIDRS: cidrs, WEBHOOK_ALLOW_HTTP: http, HOST: host, SESSION_JWKS: keys }: Values): string[] {
  return [
    ...(keys === null && !isLoopback(host)
      ? [`session tokens are checked with the development keys of DATA_DIR, and HOST=${host} is not loopback (SESSION_JWKS)`]
      : []),
    ...(keys?.startsWith('http:') ? ['the keys of session tokens are fetched over plain HTTP (SESSION_JWKS)'] : []),
    ...(cidrs.length > 0 ? [`webhooks are sent to private addresses within ${cidrs.join(', ')} (WEBHOOK_ALLOW_CIDRS)`] : []),
    ...(http ? ['webhooks are sent over plain HTTP (WEBHOOK_ALLOW_HTTP)'] : []),
  ];
}

function mistakesInAddresses({ EVENT_STORE: log, MONGODB_URL: url }: Values): string[] {
  const rest = url ?? undefined;
  const wrong = [
    ['EVENT_STORE', log, wrongInEventStore(log)],
    ['MONGODB_URL', rest, wrongInMongo(rest)],
  ] as const;
  return wrong.flatMap(([name, given, why]) =>
    why === null ? [] : [mistake(SETTINGS, name, given, `an address that can be used (${why})`)],
  );
}

/** What one variable makes others need. */
function missing(values: Values): string[] {
  const { EVENT_STORE: eventStore, MONGODB_URL: mongodb, SESSION_JWKS: keys } = values;
  const isReal = isAddress(eventStore);
  return [
    ...(keys ? unset(values, ['SESSION_ISSUER', 'SESSION_AUDIENCE'], 'SESSION_JWKS is set') : []),
    ...(isReal ? unset(values, ['MONGODB_URL', 'MASTER_KEY', 'KEY_PEPPER', 'SESSION_JWKS'], 'EVENT_STORE is not "embedded"') : []),
    ...(mongodb && eventStore === EMBEDDED
      ? [mistake(SETTINGS, 'EVENT_STORE', EMBEDDED, 'esdb:// and where EventStoreDB is, since MONGODB_URL is set')]
      : []),
  ];
}

function unset(values: Values, names: readonly (keyof Values)[], because: string): string[] {
  return names
    .filter((name) => values[name] === null)
    .map((name) => mistake(SETTINGS, name, undefined, `${SETTINGS[name].expected}, since ${because}`));
}

function storesAt({ EVENT_STORE: eventStore, MONGODB_URL: mongodb }: Values, dataDir: string): StoresAt {
  return mongodb === null ? { file: storeFileIn(dataDir) } : { eventStore, mongodb };
}

/** Where the embedded store of a data directory is. */
export function storeFileIn(dataDir: string): string {
  return join(resolve(dataDir), STORE_FILE);
}

function sessionOf(values: Values, dataDir: string): SessionConfig {
  const { SESSION_JWKS: keys, SESSION_ISSUER: issuer, SESSION_AUDIENCE: audience, SESSION_AUTHORIZED_PARTIES: authorizedParties } = values;
  return {
    keys: keys === null ? { development: generatedSessionKey(dataDir) } : httpUrl(keys) ? { url: keys } : { file: resolve(keys) },
    issuer: issuer ?? DEVELOPMENT_ISSUER,
    audience: audience ?? DEVELOPMENT_AUDIENCE,
    authorizedParties,
  };
}

function webhooksOf(values: Values) {
  return {
    allowCidrs: values.WEBHOOK_ALLOW_CIDRS as readonly string[],
    allowHttp: values.WEBHOOK_ALLOW_HTTP,
    /** Seconds to wait after the first, second … failed automatic attempt. */
    retrySchedule: values.WEBHOOK_RETRY_SCHEDULE as readonly number[],
    /** Seconds for which first attempts of an endpoint that keeps failing are held back, the first, second … time in a row. */
    breakerWaits: values.WEBHOOK_BREAKER_WAITS as readonly number[],
    endpointLimit: values.WEBHOOK_ENDPOINT_LIMIT,
    replayRate: values.WEBHOOK_REPLAY_RATE,
    timeoutMs: values.WEBHOOK_TIMEOUT_MS,
    endpointConcurrency: values.WEBHOOK_ENDPOINT_CONCURRENCY,
    endpointRate: values.WEBHOOK_ENDPOINT_RATE,
    /** Empty: those of the system. */
    dnsServers: values.WEBHOOK_DNS_SERVERS as readonly string[],
  };
}

function keySet(given: string): string | undefined {
  return httpUrl(given) ?? (existsSync(given) ? given : undefined);
}

function key(given: string): Buffer | undefined {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}

function dnsServer(given: string): string | undefined {
  try {
    new Resolver().setServers([given]);
    return given;
  } catch {
    return undefined;
  }
}

function cidr(given: string): string | undefined {
  return ipaddr.isValidCIDR(given) ? given : undefined;
}
