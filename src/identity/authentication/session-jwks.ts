import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { Config } from '../../config/config.js';
import { reportFailure } from '../../kernel/background-errors.js';
import { Clock } from '../../kernel/clock.js';
import { createKeyFinder, createKeysUnavailable, parseJwks } from './jwks.js';
import { RemoteJwks } from './remote-jwks.js';

const WORK = { kind: 'loop', name: 'session keys' } as const;

/** The public keys that verify session tokens: from a URL, a file, or the development key pair. */
@Injectable()
export class SessionJwks {
  readonly find: JWTVerifyGetKey;

  constructor(config: Config, clock: Clock) {
    const { keys } = config.session;
    if ('url' in keys) this.find = new RemoteJwks(keys.url, clock).find;
    else if ('file' in keys) this.find = createStaticFinder(parseJwks(readFileSync(keys.file, 'utf8')));
    else this.find = createLocalJWKSet({ keys: [toPublicJwk(keys.development)] });
  }
}

function createStaticFinder(keys: readonly JWK[]): JWTVerifyGetKey {
  const finder = createKeyFinder(keys).catch((error: unknown): JWTVerifyGetKey => {
    reportFailure(WORK, error);
    return () => Promise.reject(createKeysUnavailable());
  });
  return async (header, token) => (await finder)(header, token);
}

function toPublicJwk({ d: _, ...jwk }: JSONWebKeySet['keys'][number] & { d?: string }) {
  return jwk;
}
