import { Resolver } from 'node:dns';
import { existsSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { type Crash, parseCrashPoint } from './kernel/crash-points.js';
import type { Sender } from './mail/message.js';
import {
  defineSecret,
  defineSetting,
  integerBetween,
  listOf,
  oneOf,
  parseBoolean,
  parseHttpUrl,
  parseList,
  parseSeconds,
  parseText,
  type ValuesOf,
} from './settings.js';
import { EMBEDDED, parseEventStore, parseMongoUrl } from './stores/store-url.js';

export const KEY_BYTES = 32;
const EXPECTED_KEY_SET = 'an http(s) URL or an existing file';

/** The variables of the environment. */
export const SETTINGS = {
  PORT: defineSetting(integerBetween(0, 65535), 3000, 'a port, 0 to 65535', '3000'),
  HOST: defineSetting(parseText, '127.0.0.1', 'a host name or address', '127.0.0.1'),
  OPS_PORT: defineSetting(integerBetween(0, 65535), 3001, 'a port, 0 to 65535', '3001'),
  OPS_HOST: defineSetting(parseText, '127.0.0.1', 'a host name or address', '127.0.0.1'),
  PUBLIC_URL: defineSetting<string | null>(parseHttpUrl, null, 'an http(s) URL', 'https://api.example.com'),
  DATA_DIR: defineSetting(parseText, './data', 'a directory', './data'),
  EVENT_STORE: defineSecret(
    parseEventStore,
    EMBEDDED,
    '"embedded", or esdb:// and the address of EventStoreDB',
    'esdb://user:password@events.internal:2113',
  ),
  MONGODB_URL: defineSecret<string | null>(
    parseMongoUrl,
    null,
    'mongodb:// and the address of MongoDB',
    'mongodb://user:password@documents.internal/service',
  ),
  ROLE: defineSetting(
    oneOf('all', 'api', 'projector', 'dispatcher'),
    'all',
    'all, api, projector or dispatcher',
    'all',
  ),
  REACTOR_PARTS: defineSetting(integerBetween(1, 64), 1, 'a whole number, 1 to 64', '4'),
  MASTER_KEY: defineSecret<Buffer | null>(
    parseKey,
    null,
    '32 bytes in base64',
    'the output of `openssl rand -base64 32`',
  ),
  KEY_PEPPER: defineSecret<Buffer | null>(
    parseKey,
    null,
    '32 bytes in base64',
    'the output of `openssl rand -base64 32`',
  ),
  MASTER_KEY_PREVIOUS: defineSecret<Buffer[]>(
    listOf(parseKey),
    [],
    'comma-separated keys of 32 bytes in base64, the newest first',
    'an earlier MASTER_KEY',
  ),
  KEY_PEPPER_PREVIOUS: defineSecret<Buffer[]>(
    listOf(parseKey),
    [],
    'comma-separated keys of 32 bytes in base64, the newest first',
    'an earlier KEY_PEPPER',
  ),
  SESSION_JWKS: defineSetting<string | null>(
    parseKeySet,
    null,
    EXPECTED_KEY_SET,
    'https://login.example.com/.well-known/jwks.json',
  ),
  SESSION_ISSUER: defineSetting<string | null>(
    parseText,
    null,
    'the issuer (iss) of session tokens',
    'https://login.example.com/',
  ),
  SESSION_AUDIENCE: defineSetting<string | null>(
    parseText,
    null,
    'the audience (aud) of session tokens',
    'https://api.example.com',
  ),
  SESSION_AUTHORIZED_PARTIES: defineSetting<string[]>(parseList, [], 'comma-separated parties (azp)', 'web,mobile'),
  CONSOLE_OIDC_CLIENT_ID: defineSetting<string | null>(
    parseText,
    null,
    'the client of the console at the identity provider of SESSION_ISSUER',
    'console',
  ),
  PLATFORM_REVIEWERS: defineSetting<string[]>(parseList, [], 'comma-separated subjects (sub)', 'auth0|1,auth0|2'),
  PRODUCT_REVIEW: defineSetting(oneOf('manual', 'auto'), 'manual', 'manual or auto', 'manual'),
  WEBHOOK_ALLOW_CIDRS: defineSetting<string[]>(
    listOf(parseCidr),
    [],
    'comma-separated CIDR blocks',
    '127.0.0.0/8,10.0.0.0/8',
  ),
  WEBHOOK_ALLOW_HTTP: defineSetting(parseBoolean, false, 'true or false', 'false'),
  WEBHOOK_RETRY_SCHEDULE: defineSetting(
    listOf(parseSeconds),
    [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
    'seconds, comma-separated',
    '5,300,1800',
  ),
  WEBHOOK_BREAKER_WAITS: defineSetting(
    listOf(parseSeconds),
    [60, 120, 180, 240, 300],
    'seconds, comma-separated',
    '60,120,300',
  ),
  WEBHOOK_ENDPOINT_LIMIT: defineSetting(integerBetween(1, 10_000), 20, 'a whole number, 1 to 10000', '20'),
  WEBHOOK_REPLAY_RATE: defineSetting(integerBetween(1, 10_000), 10, 'a whole number, 1 to 10000', '10'),
  WEBHOOK_TIMEOUT_MS: defineSetting(integerBetween(1, 600_000), 15_000, 'milliseconds, 1 to 600000', '15000'),
  WEBHOOK_ENDPOINT_CONCURRENCY: defineSetting(integerBetween(1, 1_000), 10, 'a whole number, 1 to 1000', '10'),
  WEBHOOK_ENDPOINT_RATE: defineSetting(integerBetween(1, 10_000), 50, 'a whole number, 1 to 10000', '50'),
  WEBHOOK_HOST_CONCURRENCY: defineSetting(integerBetween(0, 100_000), 100, 'a whole number, 0 for no limit', '100'),
  WEBHOOK_HOST_RATE: defineSetting(integerBetween(0, 100_000), 500, 'a whole number, 0 for no limit', '500'),
  WEBHOOK_DNS_SERVERS: defineSetting<string[]>(
    listOf(parseDnsServer),
    [],
    'comma-separated addresses, each with an optional port',
    '10.0.0.2,10.0.0.3:5353',
  ),
  OPS_TOKEN: defineSecret<string | null>(parseText, null, 'a token', 'the output of `openssl rand -base64 32`'),
  SMTP_URL: defineSecret<string | null>(
    parseSmtpUrl,
    null,
    'smtp:// or smtps:// and the address of a mail server',
    'smtp://mail.example.com:587',
  ),
  MAIL_FROM: defineSetting<Sender | null>(
    parseSender,
    null,
    'an e-mail address, with or without a name',
    'Example Shop <shop@example.com>',
  ),
  STRIPE_SECRET_KEY: defineSecret<string | null>(
    matching(/^[sr]k_(test|live)_\w+$/),
    null,
    'a secret key of Stripe, sk_live_… or sk_test_…',
    'sk_live_…',
  ),
  STRIPE_WEBHOOK_SECRET: defineSecret<string | null>(
    matching(/^whsec_[\w+/=]+$/),
    null,
    'the signing secret of an event destination of Stripe, whsec_…',
    'whsec_…',
  ),
  STRIPE_API_BASE: defineSetting<string | null>(parseHttpUrl, null, 'an http(s) URL', 'http://127.0.0.1:12111'),
  STRIPE_TIMEOUT_MS: defineSetting(integerBetween(1, 60_000), 8_000, 'milliseconds, 1 to 60000', '8000'),
  RATE_LIMIT: defineSetting(integerBetween(0, 1_000_000), 100, 'requests a second, 0 for no limit', '100'),
  RATE_LIMIT_BURST: defineSetting(integerBetween(0, 1_000_000), 200, 'a whole number', '200'),
  TRUSTED_PROXIES: defineSetting<string[]>(
    listOf(parseCidr),
    [],
    'comma-separated CIDR blocks',
    '10.0.0.0/8,192.168.0.0/16',
  ),
  CONNECTION_LIMIT: defineSetting(integerBetween(1, 1_000_000), 2_000, 'a whole number, 1 to 1000000', '2000'),
  CORS_ORIGINS: defineSetting<string[]>(
    listOf(parseOrigin),
    [],
    'comma-separated origins',
    'https://shop.example.com,https://app.example.com',
  ),
  BUSINESS_LIMIT: defineSetting(integerBetween(1, 1_000_000), 20, 'businesses of a user, 1 to 1000000', '20'),
  KEY_LIMIT: defineSetting(integerBetween(1, 1_000_000), 100, 'live keys of a business, 1 to 1000000', '100'),
  SESSION_MAX_SECONDS: defineSetting<number | null>(
    integerBetween(1, 1_000_000_000),
    null,
    'seconds from iat to exp of a session token',
    '86400',
  ),
  CRASH_AT: defineSetting<Crash | null>(
    parseCrashPoint,
    null,
    'a crash point and an occurrence, for tests',
    'before-append:3',
  ),
  LOG_LEVEL: defineSetting(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'a log level of pino, or silent',
    'info',
  ),
};

export type Values = ValuesOf<typeof SETTINGS>;

function matching(pattern: RegExp): (given: string) => string | undefined {
  return (given) => (pattern.test(given) ? given : undefined);
}

function parseKeySet(given: string): string | undefined {
  return parseHttpUrl(given) ?? (existsSync(given) ? given : undefined);
}

function parseKey(given: string): Buffer | undefined {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}

function parseSmtpUrl(given: string): string | undefined {
  return URL.canParse(given) && /^smtps?:$/.test(new URL(given).protocol) && new URL(given).hostname !== ''
    ? given
    : undefined;
}

/** Accepts `shop@example.com` and `Example Shop <shop@example.com>`. */
function parseSender(given: string): Sender | undefined {
  const [, name = '', bracketed, bare] = /^(?:([^<>@]*)<([^<>\s]+)>|([^<>\s]+))$/.exec(given) ?? [];
  const address = bracketed ?? bare;
  if (address === undefined || !/^[^@]+@[^@]+$/.test(address)) return undefined;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

function parseDnsServer(given: string): string | undefined {
  try {
    new Resolver().setServers([given]);
    return given;
  } catch {
    return undefined;
  }
}

function parseCidr(given: string): string | undefined {
  return ipaddr.isValidCIDR(given) ? given : undefined;
}

/** Accepts an origin as browsers send it, without a path. */
function parseOrigin(given: string): string | undefined {
  return parseHttpUrl(given) !== undefined && new URL(given).origin === given ? given : undefined;
}
