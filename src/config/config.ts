import { join, resolve } from 'node:path';
import type { StoreLocation } from '../stores/store-url.js';
import { checkAddresses, findInsecureSettings, findMissing } from './config-checks.js';
import { type SessionKey } from './generated-secrets.js';
import { readSecrets, type Secrets, type SecretsUse } from './secrets.js';
import { type Environment, findUnknownNames, parseHttpUrl, readSettings } from './settings.js';
import { findPartialPayments, type StripeConfig, toStripeConfig } from './stripe-config.js';
import { toTracingConfig } from './tracing-config.js';
import { SETTINGS, type Values } from './variables.js';

const STORE_FILE = 'store.sqlite';
const MAX_PORT = 65_535;
/** One address gets at most this share of the connections. */
const ADDRESS_SHARE = 0.1;
const DEVELOPMENT_ISSUER = 'development';
const DEVELOPMENT_AUDIENCE = 'event-sourced-api';
const DEVELOPMENT_SENDER = { name: '', address: 'no-reply@localhost' };

/** Lists every mistake in the environment. The process exits with 78. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.name = 'ConfigError';
  }
}

/** The validated configuration of the service. */
export class Config {
  readonly port = this.values.PORT;
  readonly host = this.values.HOST;
  readonly opsPort = this.values.OPS_PORT ?? toAdjacentPort(this.values.PORT);
  readonly opsHost = this.values.OPS_HOST;
  readonly dataDir = resolve(this.values.DATA_DIR);
  readonly stores: StoreLocation = resolveStores(this.values, this.dataDir);
  readonly role = this.values.ROLE;
  /** Number of parts of each reactor. At most this many dispatchers share a reactor. */
  readonly reactorParts = this.values.REACTOR_PARTS;
  readonly masterKey = this.secrets.masterKey;
  readonly keyPepper = this.secrets.keyPepper;
  /** Earlier keys, the newest first. They still decrypt and find the values that were encrypted or hashed with them. */
  readonly masterKeyPrevious: readonly Buffer[] = this.values.MASTER_KEY_PREVIOUS;
  readonly keyPepperPrevious: readonly Buffer[] = this.values.KEY_PEPPER_PREVIOUS;
  readonly opsToken = this.secrets.opsToken;
  readonly session: SessionConfig = toSessionConfig(this.values, this.secrets);
  /** The identity provider at which users of the console sign in; null: they enter a key or a token. */
  readonly consoleOidc =
    this.values.CONSOLE_OIDC_CLIENT_ID === null
      ? null
      : { issuer: this.session.issuer, client_id: this.values.CONSOLE_OIDC_CLIENT_ID };
  readonly platformReviewers: readonly string[] = this.values.PLATFORM_REVIEWERS;
  readonly productReview = this.values.PRODUCT_REVIEW;
  readonly webhooks = toWebhookConfig(this.values);
  /** Without SMTP_URL, mails are written to files in the data directory. */
  readonly mail = { smtpUrl: this.values.SMTP_URL, from: this.values.MAIL_FROM ?? DEVELOPMENT_SENDER };
  /** Null: payments are simulated. */
  readonly stripe: StripeConfig | null = toStripeConfig(this.values);
  readonly rateLimit = { perSecond: this.values.RATE_LIMIT, burst: this.values.RATE_LIMIT_BURST };
  /** CIDR blocks of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[] = this.values.TRUSTED_PROXIES;
  /** Origins of web pages that may call the API. */
  readonly corsOrigins: readonly string[] = this.values.CORS_ORIGINS;
  /** Maximum number of businesses of a user, and of live keys of a business. */
  readonly limits = { businesses: this.values.BUSINESS_LIMIT, keys: this.values.KEY_LIMIT };
  /** Maximum number of exports of a business that run at the same time. */
  readonly openExports = this.values.AUDIT_EXPORT_LIMIT;
  /** Maximum size of the kept export files of a business. */
  readonly keptExportBytes = this.values.AUDIT_EXPORT_KEPT_BYTES;
  /** Null: requests are not traced. The exporter reads the headers from the environment. */
  readonly tracing = toTracingConfig(this.values);
  /** With less free space the service cannot promise to store more data: readiness is red. */
  readonly minFreeDiskMegabytes = this.values.MIN_FREE_DISK_MB;
  readonly connectionLimit = this.values.CONNECTION_LIMIT;
  /** Maximum number of connections of one address. */
  readonly addressConnectionLimit =
    this.values.CONNECTION_LIMIT_PER_ADDRESS ?? Math.ceil(this.connectionLimit * ADDRESS_SHARE);
  /** The crash point at which this process exits; null outside tests. */
  readonly crashAt = this.values.CRASH_AT;
  readonly logLevel = this.values.LOG_LEVEL;
  private servedUrl: string | null = null;

  constructor(
    private readonly values: Values,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Base URL of links in responses, without a trailing slash: PUBLIC_URL, or else the URL at which the service listens.
   */
  get publicUrl(): string {
    return this.values.PUBLIC_URL ?? this.servedUrl ?? `http://${this.host}:${this.port}`;
  }

  /** The page that the mail of an invite links to, without a trailing slash; the id of the invite follows. */
  get inviteUrl(): string {
    return this.values.INVITE_URL ?? `${this.publicUrl}/console/invites`;
  }

  setServedUrl(url: string): void {
    this.servedUrl = url;
  }
}

/** The source of the keys for session tokens, and the claims that these tokens must have. */
export interface SessionConfig {
  /** A URL, a file, or the development key pair in the data directory. */
  readonly keys: { readonly url: string } | { readonly file: string } | { readonly development: SessionKey };
  readonly issuer: string;
  readonly audience: string;
  /** Empty: any party is accepted. */
  readonly authorizedParties: readonly string[];
  /** Maximum time from `iat` to `exp`; null: no maximum. */
  readonly maxSeconds: number | null;
}

/**
 * Reads the configuration. Generates the missing secrets of a data directory without a store; the missing key of an
 * existing store is a mistake.
 * @throws ConfigError
 */
export function readConfig(env: Environment): { readonly config: Config; readonly warnings: readonly string[] } {
  const { values, secrets, warnings } = readAll(env, 'create');
  return { config: new Config(values, secrets as Secrets), warnings };
}

/** Checks the configuration and returns its warnings. Creates nothing. @throws ConfigError */
export function checkConfig(env: Environment): readonly string[] {
  return readAll(env, 'check').warnings;
}

/** The place of the embedded store and the keys that open it. */
export type StoreKeys = Pick<Config, 'stores' | 'dataDir' | 'masterKeyPrevious' | 'keyPepperPrevious'> & {
  /** Null: neither a variable nor a file has the key. */
  readonly masterKey: Buffer | null;
  readonly keyPepper: Buffer | null;
};

/** Reads what a restore needs. Creates nothing. @throws ConfigError */
export function readStoreKeys(env: Environment): StoreKeys {
  const { values, secrets } = readAll(env, 'check');
  const dataDir = resolve(values.DATA_DIR);
  return {
    stores: resolveStores(values, dataDir),
    dataDir,
    masterKey: secrets.masterKey,
    keyPepper: secrets.keyPepper,
    masterKeyPrevious: values.MASTER_KEY_PREVIOUS,
    keyPepperPrevious: values.KEY_PEPPER_PREVIOUS,
  };
}

function readAll(env: Environment, use: SecretsUse) {
  const { values, mistakes } = readSettings(SETTINGS, env);
  const all = [...mistakes, ...checkAddresses(values), ...findMissing(values)];
  if (all.length > 0) throw new ConfigError(all);
  const dataDir = resolve(values.DATA_DIR);
  const stores = resolveStores(values, dataDir);
  const { secrets, mistakes: wrongFiles } = readSecrets(values, dataDir, stores, use);
  if (wrongFiles.length > 0) throw new ConfigError(wrongFiles);
  const warnings = [
    ...findUnknownNames(SETTINGS, env),
    ...findInsecureSettings(values),
    ...findPartialPayments(values),
  ];
  return { values, secrets, warnings };
}

/** Reads only the settings of webhooks. Creates no key, unlike `readConfig`. @throws ConfigError */
export function readWebhookConfig(env: Environment): Pick<Config, 'webhooks'> {
  const { values, mistakes } = readSettings(SETTINGS, env);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { webhooks: toWebhookConfig(values) };
}

/** Returns the port after the given one, so that services on one machine do not meet. Port 0 stands for any free port. */
function toAdjacentPort(port: number): number {
  if (port === 0) return 0;
  return port === MAX_PORT ? port - 1 : port + 1;
}

function resolveStores({ EVENT_STORE: eventStore, MONGODB_URL: mongodb }: Values, dataDir: string): StoreLocation {
  return mongodb === null ? { file: toStoreFile(dataDir) } : { eventStore, mongodb };
}

/** Returns the path of the embedded store, even when other variables are invalid; null for external stores. */
export function findEmbeddedFile(env: Environment): string | null {
  const { values } = readSettings(SETTINGS, env);
  const stores = resolveStores(values, values.DATA_DIR);
  return 'file' in stores ? stores.file : null;
}

export function toStoreFile(dataDir: string): string {
  return join(resolve(dataDir), STORE_FILE);
}

function toSessionConfig(values: Values, { sessionKey }: Secrets): SessionConfig {
  const {
    SESSION_JWKS: keys,
    SESSION_ISSUER: issuer,
    SESSION_AUDIENCE: audience,
    SESSION_AUTHORIZED_PARTIES: authorizedParties,
  } = values;
  return {
    keys: keys === null ? { development: sessionKey! } : parseHttpUrl(keys) ? { url: keys } : { file: resolve(keys) },
    issuer: issuer ?? DEVELOPMENT_ISSUER,
    audience: audience ?? DEVELOPMENT_AUDIENCE,
    authorizedParties,
    maxSeconds: values.SESSION_MAX_SECONDS,
  };
}

function toWebhookConfig(values: Values) {
  return {
    allowCidrs: values.WEBHOOK_ALLOW_CIDRS as readonly string[],
    allowHttp: values.WEBHOOK_ALLOW_HTTP,
    /** Seconds between the first, second … failed automatic attempt and the next one. */
    retrySchedule: values.WEBHOOK_RETRY_SCHEDULE as readonly number[],
    /**
     * Seconds for which the circuit breaker delays first attempts, by the number of times in a row that it has opened.
     */
    breakerWaits: values.WEBHOOK_BREAKER_WAITS as readonly number[],
    endpointLimit: values.WEBHOOK_ENDPOINT_LIMIT,
    replayRate: values.WEBHOOK_REPLAY_RATE,
    timeoutMs: values.WEBHOOK_TIMEOUT_MS,
    endpointConcurrency: values.WEBHOOK_ENDPOINT_CONCURRENCY,
    endpointRate: values.WEBHOOK_ENDPOINT_RATE,
    /** Maximum number of concurrent requests to one host, for all businesses together; 0 for no limit. */
    hostConcurrency: values.WEBHOOK_HOST_CONCURRENCY,
    hostRate: values.WEBHOOK_HOST_RATE,
    /** Empty: the DNS servers of the system. */
    dnsServers: values.WEBHOOK_DNS_SERVERS as readonly string[],
  };
}
