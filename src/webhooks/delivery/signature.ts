import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function generateSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface Signatures {
  readonly 'X-Service-Signature': string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Returns both signatures over the bytes that are sent. The key of `X-Service-Signature` is the whole secret as text;
 * the key of `webhook-signature` is the 32 bytes that the secret encodes, as Standard Webhooks defines.
 */
export function createSignatureHeaders(
  secret: string,
  { eventId, seconds, body }: { readonly eventId: string; readonly seconds: number; readonly body: Buffer },
): Signatures {
  const standardKey = createSecretKey(secret.slice(PREFIX.length), 'base64');
  return {
    'X-Service-Signature': `t=${seconds},v1=${computeMac(secret, `${seconds}.`, body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${computeMac(standardKey, `${eventId}.${seconds}.`, body).digest('base64')}`,
  };
}

/** The time for which receivers accept a signature. */
const SIGNATURE_VALID_MS = 5 * 60_000;
const SIGNATURE_HEADERS: ReadonlySet<string> = new Set([
  'X-Service-Signature',
  'webhook-signature',
] satisfies (keyof Signatures)[]);

/** Returns the headers of a request for display. Leaves out the signatures while a receiver may still accept them. */
export function removeValidSignatures(
  headers: Readonly<Record<string, string>>,
  ageMs: number,
): Readonly<Record<string, string>> {
  if (ageMs > SIGNATURE_VALID_MS) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.has(name)));
}

/** Callers pass a KeyObject for a binary key, which is faster: Node probes raw bytes with a failing parse. */
function computeMac(key: string | KeyObject, prefix: string, body: Buffer) {
  return createHmac('sha256', key).update(prefix).update(body);
}
