import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { request } from 'undici';
import { Config } from '../config.js';
import { Clock } from '../kernel/clock.js';
import { Rejection } from '../kernel/rejection.js';

export const SESSION_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const FRESH_MS = 10 * 60_000;
/** With the key server down, the last good set serves for so long. */
const USABLE_MS = 60 * 60_000;
/** A forged `kid` must not make us ask the key server at every request. */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 5_000;

interface KeySet {
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** The public keys that session tokens are signed with: of a URL, a file, or the development pair. */
@Injectable()
export class SessionKeys {
  readonly find: JWTVerifyGetKey;
  private current: KeySet | null = null;
  private refreshing: Promise<KeySet> | null = null;
  private asked = -Infinity;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    const { keys } = config.session;
    if ('url' in keys) this.find = (header, token) => this.remote(keys.url, header, token);
    else if ('file' in keys) this.find = fixed(keysIn(readFileSync(keys.file, 'utf8')));
    else this.find = createLocalJWKSet({ keys: [publicHalf(keys.development)] });
  }

  private async remote(url: string, ...[header, token]: Parameters<JWTVerifyGetKey>) {
    const set = await this.usable(url);
    try {
      return await set.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.since(this.asked) < COOLDOWN_MS) throw error;
      return (await this.refreshed(url)).find(header, token);
    }
  }

  private async usable(url: string): Promise<KeySet> {
    const { current } = this;
    if (current === null || !this.isUsable(current)) return this.refreshed(url);
    const fresh = this.since(current.fetchedAt) < FRESH_MS || this.since(this.asked) < COOLDOWN_MS;
    return fresh ? current : this.refreshed(url);
  }

  /** One question at a time, whoever needs the answer. */
  private refreshed(url: string): Promise<KeySet> {
    this.refreshing ??= this.refresh(url).finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** @throws Rejection 503: without keys nobody's credential can be called wrong */
  private async refresh(url: string): Promise<KeySet> {
    this.asked = this.clock.monotonic();
    try {
      this.current = { find: await finderOf(await fetched(url)), fetchedAt: this.clock.monotonic() };
    } catch {
      if (this.current === null || !this.isUsable(this.current)) throw unavailable();
    }
    return this.current;
  }

  private isUsable({ fetchedAt }: KeySet): boolean {
    return this.since(fetchedAt) <= USABLE_MS;
  }

  private since(then: number): number {
    return this.clock.monotonic() - then;
  }
}

async function fetched(url: string): Promise<readonly JWK[]> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`the key server answered ${statusCode}`);
  return keysIn(text);
}

function keysIn(text: string): readonly JWK[] {
  const { keys } = JSON.parse(text) as JSONWebKeySet;
  if (!Array.isArray(keys)) throw new Error('there is no list of keys');
  return keys;
}

function fixed(keys: readonly JWK[]): JWTVerifyGetKey {
  const finder = finderOf(keys).catch((): JWTVerifyGetKey => () => Promise.reject(unavailable()));
  return async (header, token) => (await finder)(header, token);
}

/** @throws Error when no key can be used: such a set is a mistake of the provider, not a withdrawal of everybody's session */
async function finderOf(keys: readonly JWK[]): Promise<JWTVerifyGetKey> {
  const checked = await Promise.all(keys.map(async (key) => ((await canVerify(key)) ? [key] : [])));
  const usable = checked.flat();
  if (usable.length === 0) throw new Error('there is no usable key');
  return createLocalJWKSet({ keys: usable });
}

/** Whether it imports as a public key of one of our algorithms. */
function canVerify(key: JWK): Promise<boolean> {
  const imports = SESSION_ALGORITHMS.map(async (alg) => createLocalJWKSet({ keys: [key] })({ alg }));
  return Promise.any(imports).then(
    () => true,
    () => false,
  );
}

function unavailable(): Rejection {
  return new Rejection('service_unavailable', 'The keys of session tokens cannot be had now. Try again.');
}

function publicHalf({ d: _, ...jwk }: JSONWebKeySet['keys'][number] & { d?: string }) {
  return jwk;
}
