import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY_FILE_MODE = 0o600;
const OWNER_ONLY_FOLDER_MODE = 0o700;
const TOKEN_BYTES = 32;

/** The private key of the development key pair, as a JWK. Its public members are the public key. */
export type SessionKey = JsonWebKey & { readonly kty: string; readonly kid: string; readonly alg: 'EdDSA' };

/** Returns the key in this file of the data directory. Generates the file when it is missing. */
export function readOrGenerateKey(directory: string, name: string, bytes: number): Buffer {
  return Buffer.from(
    readOrCreate(directory, name, () => randomBytes(bytes).toString('base64')),
    'base64',
  );
}

export function readOrGenerateToken(directory: string, name: string): string {
  return readOrCreate(directory, name, () => randomBytes(TOKEN_BYTES).toString('base64url'));
}

export function readOrGenerateSessionKey(directory: string): SessionKey {
  return JSON.parse(readOrCreate(directory, 'session-key.json', generateSessionKey)) as SessionKey;
}

function generateSessionKey(): string {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return JSON.stringify({ ...jwk, kid: randomBytes(8).toString('hex'), alg: 'EdDSA', use: 'sig' });
}

function readOrCreate(directory: string, name: string, generate: () => string): string {
  const path = join(directory, name);
  return read(path) ?? create(directory, path, generate());
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
  mkdirSync(directory, { recursive: true, mode: OWNER_ONLY_FOLDER_MODE });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${content}\n`, { mode: OWNER_ONLY_FILE_MODE, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(path)!;
}
