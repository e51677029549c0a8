import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import type { Sender } from '../mail/message.js';
import { parseHttpUrl } from './settings.js';

export const KEY_BYTES = 32;
const MIN_TOKEN_LENGTH = 12;

export const EXPECTED_TOKEN = `a token of at least ${MIN_TOKEN_LENGTH} characters without spaces`;

/** Returns a parser that accepts texts of this pattern. */
export function matching(pattern: RegExp): (given: string) => string | undefined {
  return (given) => (pattern.test(given) ? given : undefined);
}

/** Accepts a number from 0 to 1. */
export function parseShare(given: string): number | undefined {
  return /^(0|1|0?\.\d{1,9}|1\.0+)$/.test(given) ? Number(given) : undefined;
}

export function parseKeySet(given: string): string | undefined {
  return parseHttpUrl(given) ?? (isKeySetFile(given) ? given : undefined);
}

function isKeySetFile(path: string): boolean {
  try {
    const { keys } = JSON.parse(readFileSync(path, 'utf8')) as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  } catch {
    // No file, a folder, a file that the user may not read, or another content.
    return false;
  }
}

export function parseKey(given: string): Buffer | undefined {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}

/** Accepts what a bearer header can carry, and refuses what can be guessed. */
export function parseToken(given: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(given) && given.length >= MIN_TOKEN_LENGTH ? given : undefined;
}

export function parseSmtpUrl(given: string): string | undefined {
  return URL.canParse(given) && /^smtps?:$/.test(new URL(given).protocol) && new URL(given).hostname !== ''
    ? given
    : undefined;
}

/** Accepts `shop@example.com` and `Example Shop <shop@example.com>`. */
export function parseSender(given: string): Sender | undefined {
  const [, name = '', bracketed, bare] = /^(?:([^<>@]*)<([^<>\s]+)>|([^<>\s]+))$/.exec(given) ?? [];
  const address = bracketed ?? bare;
  if (address === undefined || !/^[^@]+@[^@]+$/.test(address)) return undefined;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

export function parseDnsServer(given: string): string | undefined {
  try {
    new Resolver().setServers([given]);
    return given;
  } catch {
    return undefined;
  }
}

export function parseCidr(given: string): string | undefined {
  return ipaddr.isValidCIDR(given) ? given : undefined;
}

/** Accepts an origin as browsers send it, without a path. */
export function parseOrigin(given: string): string | undefined {
  return parseHttpUrl(given) !== undefined && new URL(given).origin === given ? given : undefined;
}
