import { generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ALONE = 0o600;
const OWNERS_FOLDER = 0o700;
const TOKEN_BYTES = 32;

/** The private key of the development key pair, as a JWK. Its public members are the public key. */
export type SessionKey = JsonWebKey & { readonly kty: string; readonly kid: string; readonly alg: 'EdDSA' };

/** Returns the key in this file of the data directory. Generates the file when it is missing. */
export function generatedKey(directory: string, name: string, bytes: number): Buffer {
  return Buffer.from(
    fileOf(directory, name, () => randomBytes(bytes).toString('base64')),
    'base64',
  );
}

export function generatedToken(directory: string, name: string): string {
  return fileOf(directory, name, () => randomBytes(TOKEN_BYTES).toString('base64url'));
}

export function generatedSessionKey(directory: string): SessionKey {
  return JSON.parse(fileOf(directory, 'session-key.json', newSessionKey)) as SessionKey;
}

function newSessionKey(): string {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return JSON.stringify({ ...jwk, kid: randomBytes(8).toString('hex'), alg: 'EdDSA', use: 'sig' });
}

function fileOf(directory: string, name: string, make: () => string): string {
  const path = join(directory, name);
  return read(path) ?? create(directory, path, make());
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Creates the file atomically. When the service and the command line start at the same time, both use the file that was
 * linked first.
 */
function create(directory: string, path: string, content: string): string {
  mkdirSync(directory, { recursive: true, mode: OWNERS_FOLDER });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${content}\n`, { mode: OWNER_ALONE, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(path)!;
}
