import { hash, randomUUID } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const DIGEST_CHARACTERS = 16;

/**
 * `<prefix>_` and 26 characters that sort by time: 10 of the time, 16 of a digest of `seed`.
 * The same time and seed make the same id, so a repeated command names the same resource.
 */
export function idOf(prefix: string, atMs: number, ...seed: readonly (string | number)[]): string {
  return `${prefix}_${timeCharacters(atMs)}${digestCharacters(seed, DIGEST_CHARACTERS)}`;
}

/** As `idOf`, without prefix and with a shorter digest, for ids that carry something more behind. */
export function shortIdOf(atMs: number, ...seed: readonly (string | number)[]): string {
  return `${timeCharacters(atMs)}${digestCharacters(seed, 12)}`;
}

export function newUuid(): string {
  return randomUUID();
}

/** RFC 9562 version 5: the same name in the same namespace is the same UUID. */
export function uuidV5(namespace: string, ...name: readonly (string | number)[]): string {
  const bytes = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name.join('\u0000'))]);
  const digest = hash('sha1', bytes, 'buffer');
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

function timeCharacters(atMs: number): string {
  let rest = Math.max(0, Math.floor(atMs));
  let text = '';
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function digestCharacters(seed: readonly (string | number)[], count: number): string {
  const digest = hash('sha256', seed.join('\u0000'), 'buffer');
  let text = '';
  for (let i = 0; i < count; i++) text += CROCKFORD.charAt(digest[i]! & 31);
  return text;
}
