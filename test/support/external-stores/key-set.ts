import type { JsonWebKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_SET = 'session-keys.json';
const KEY = Buffer.alloc(32, 'k').toString('base64');

/**
 * Writes the key set that external stores require and returns its settings. The pair acts as the identity provider's
 * pair.
 */
export async function writeKeySet(folder: string, pair: JsonWebKey) {
  const file = join(folder, KEY_SET);
  const publicHalf = { ...pair, d: undefined };
  await writeFile(file, JSON.stringify({ keys: [publicHalf] }));
  const session = { SESSION_JWKS: file, SESSION_ISSUER: 'development', SESSION_AUDIENCE: 'event-sourced-api' };
  return { MASTER_KEY: KEY, KEY_PEPPER: KEY, ...session };
}
