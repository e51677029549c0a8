import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../kernel/event.js';
import type { KeyAccess } from '../domain/api-key.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const PREFIX = /^(sk|rk)_(live|test)_/;
const KEY_PATTERN = new RegExp(`${PREFIX.source}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

/** Generates a key: prefix, 32 random bytes in base62, and a checksum that detects typos and helps leak scanners. */
export function generateKey(access: KeyAccess, mode: Mode): string {
  const body = `${prefixFor(access, mode)}${toBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_DIGITS)}`;
  return body + computeChecksum(body);
}

export function prefixFor(access: KeyAccess, mode: Mode): string {
  return `${access === 'full' ? 'sk' : 'rk'}_${mode}_`;
}

export function hasKeyPrefix(token: string): boolean {
  return PREFIX.test(token);
}

/** Whether the format and the checksum are valid. */
export function isWellFormedKey(token: string): boolean {
  return KEY_PATTERN.test(token) && token.slice(-CHECKSUM_DIGITS) === computeChecksum(token.slice(0, -CHECKSUM_DIGITS));
}

function computeChecksum(body: string): string {
  return toBase62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, digits: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < digits; i++) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
