import { hash, randomFillSync, randomUUID } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const DIGEST_CHARACTERS = 16;
const RANDOM_BYTES = 4_096;
const SHORT_DIGEST_CHARACTERS = 12;
/** The digits whose upper two bits are the variant of RFC 9562. */
const VARIANTS = '89ab';

/**
 * Returns `<prefix>_` and 26 characters that sort by time: 10 of the time, 16 of a digest of `seed`.
 * The same time and seed give the same id, so a repeated command names the same resource.
 */
export function idOf(prefix: string, atMs: number, ...seed: readonly (string | number)[]): string {
  return `${prefix}_${encodeTime(atMs)}${encodeDigest(seed, DIGEST_CHARACTERS)}`;
}

/** Returns an id like `idOf`, but without a prefix and with a shorter digest, for ids that have a suffix. */
export function shortIdOf(atMs: number, ...seed: readonly (string | number)[]): string {
  return `${encodeTime(atMs)}${encodeDigest(seed, SHORT_DIGEST_CHARACTERS)}`;
}

/** Returns an id of the form of `idOf`, with random characters. */
export function randomIdOf(prefix: string, atMs: number): string {
  return `${prefix}_${encodeTime(atMs)}${drawCharacters(DIGEST_CHARACTERS)}`;
}

export function newUuid(): string {
  return randomUUID();
}

/** Returns a UUID of RFC 9562 version 5: the same namespace and name give the same UUID. */
export function uuidV5(namespace: string, ...name: readonly (string | number)[]): string {
  const joined = name.join('\u0000');
  const bytes = Buffer.allocUnsafe(namespace.length + Buffer.byteLength(joined));
  const start = bytes.write(namespace.replaceAll('-', ''), 'hex');
  const end = start + bytes.write(joined, start);
  const hex = hash('sha1', bytes.subarray(0, end), 'hex');
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Returns a UUID of RFC 9562 version 8: the time in milliseconds, then a digest. They sort by time, so an index of
 * them grows at its end.
 */
export function uuidAt(atMs: number, ...name: readonly (string | number)[]): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  const hex = hash('sha1', name.join('\u0000'), 'hex');
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(3), 16) & 3);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

function encodeTime(atMs: number): string {
  let rest = Math.max(0, Math.floor(atMs));
  let text = '';
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Random bytes; those from `next` on are unused. To fetch many at once costs less. */
const random = { bytes: Buffer.alloc(RANDOM_BYTES), next: RANDOM_BYTES };

function drawCharacters(count: number): string {
  if (random.next + count > RANDOM_BYTES) {
    randomFillSync(random.bytes);
    random.next = 0;
  }
  let text = '';
  for (const end = random.next + count; random.next < end; random.next++)
    text += CROCKFORD.charAt(random.bytes[random.next]! & 31);
  return text;
}

function encodeDigest(seed: readonly (string | number)[], count: number): string {
  const digest = hash('sha256', seed.join('\u0000'), 'binary');
  let text = '';
  for (let i = 0; i < count; i++) text += CROCKFORD.charAt(digest.charCodeAt(i) & 31);
  return text;
}
