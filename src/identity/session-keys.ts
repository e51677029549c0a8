import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { Config } from '../config.js';
import { Clock } from '../kernel/clock.js';
import { finderOf, keysIn, keysUnavailable } from './key-set.js';
import { RemoteKeys } from './remote-keys.js';

/** The public keys that verify session tokens: from a URL, a file, or the development key pair. */
@Injectable()
export class SessionKeys {
  readonly find: JWTVerifyGetKey;

  constructor(config: Config, clock: Clock) {
    const { keys } = config.session;
    if ('url' in keys) this.find = new RemoteKeys(keys.url, clock).find;
    else if ('file' in keys) this.find = fixed(keysIn(readFileSync(keys.file, 'utf8')));
    else this.find = createLocalJWKSet({ keys: [publicHalf(keys.development)] });
  }
}

function fixed(keys: readonly JWK[]): JWTVerifyGetKey {
  const finder = finderOf(keys).catch((): JWTVerifyGetKey => () => Promise.reject(keysUnavailable()));
  return async (header, token) => (await finder)(header, token);
}

function publicHalf({ d: _, ...jwk }: JSONWebKeySet['keys'][number] & { d?: string }) {
  return jwk;
}
