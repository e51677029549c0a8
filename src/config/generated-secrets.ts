import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../kernel/create-folder.js';
import { EXPECTED_TOKEN, KEY_BYTES, parseKey, parseToken } from './variable-parsers.js';

const OWNER_ONLY_FILE_MODE = 0o600;
const TOKEN_BYTES = 32;
const DRAFT_BYTES = 6;
/** An older draft was left by a process that was killed, or by a full disk. */
const DRAFT_LIFETIME_MS = 60_000;

/** The private key of the development key pair, as a JWK. Its public members are the public key. */
export type SessionKey = JsonWebKey & { readonly kty: string; readonly kid: string; readonly alg: 'EdDSA' };

export interface SecretFile<T> {
  readonly name: string;
  readonly expected: string;
  readonly parse: (text: string) => T | undefined;
  readonly generate: () => string;
}

export const MASTER_KEY_FILE = defineKeyFile('master.key');
export const PEPPER_FILE = defineKeyFile('pepper.key');

export const TOKEN_FILE: SecretFile<string> = {
  name: 'ops.token',
  expected: EXPECTED_TOKEN,
  parse: parseToken,
  generate: () => randomBytes(TOKEN_BYTES).toString('base64url'),
};

export const SESSION_KEY_FILE: SecretFile<SessionKey> = {
  name: 'session-key.json',
  expected: 'a private Ed25519 key as a JWK with kid and alg',
  parse: parseSessionKey,
  generate: generateSessionKey,
};

/** A file of the data directory does not contain its secret. */
export class InvalidSecretFile extends Error {}

/** Returns the secret in the file; null when the file is missing. @throws InvalidSecretFile */
export function readSecret<T>(directory: string, { name, expected, parse }: SecretFile<T>): T | null {
  const path = join(directory, name);
  const text = readText(path);
  if (text === null) return null;
  const secret = parse(text);
  if (secret === undefined) throw new InvalidSecretFile(`${path} ${describeText(text)}: expected ${expected}`);
  return secret;
}

/** Returns the secret in the file. Generates the file when it is missing. @throws InvalidSecretFile */
export function readOrGenerateSecret<T>(directory: string, file: SecretFile<T>): T {
  const existing = readSecret(directory, file);
  if (existing !== null) return existing;
  create(directory, join(directory, file.name), file.generate());
  return readSecret(directory, file)!;
}

export function readOrGenerateSessionKey(directory: string): SessionKey {
  return readOrGenerateSecret(directory, SESSION_KEY_FILE);
}

function defineKeyFile(name: string): SecretFile<Buffer> {
  const generate = () => randomBytes(KEY_BYTES).toString('base64');
  return { name, expected: `${KEY_BYTES} bytes in base64`, parse: parseKey, generate };
}

function parseSessionKey(text: string): SessionKey | undefined {
  try {
    const key = JSON.parse(text) as SessionKey;
    const isEd25519 = createPrivateKey({ key, format: 'jwk' }).asymmetricKeyType === 'ed25519';
    return isEd25519 && key.alg === 'EdDSA' && typeof key.kid === 'string' ? key : undefined;
  } catch {
    // Neither JSON nor a private key.
    return undefined;
  }
}

function generateSessionKey(): string {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return JSON.stringify({ ...jwk, kid: randomBytes(8).toString('hex'), alg: 'EdDSA', use: 'sig' });
}

function describeText(text: string): string {
  return text === '' ? 'is empty' : 'has another content';
}

function readText(path: string): string | null {
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
function create(directory: string, path: string, content: string): void {
  createFolder(directory);
  removeOldDrafts(directory);
  const draft = `${path}.${randomBytes(DRAFT_BYTES).toString('hex')}`;
  try {
    writeFileSync(draft, `${content}\n`, { mode: OWNER_ONLY_FILE_MODE, flag: 'wx', flush: true });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the drafts of secrets that a killed process has left. */
export function removeOldDrafts(directory: string): void {
  const names = [MASTER_KEY_FILE, PEPPER_FILE, TOKEN_FILE, SESSION_KEY_FILE].map(({ name }) => `${name}.`);
  const isDraft = (name: string) =>
    names.some((prefix) => name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length)));
  for (const name of readdirSync(directory).filter(isDraft)) removeIfOld(join(directory, name));
}

function removeIfOld(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > DRAFT_LIFETIME_MS) rmSync(path, { force: true });
}
