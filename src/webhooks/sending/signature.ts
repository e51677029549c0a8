import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface Signatures {
  readonly 'X-Service-Signature': string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Both signatures over the very bytes that are sent. `X-Service-Signature` is keyed with the whole secret as text,
 * `webhook-signature` with the 32 bytes in it, as Standard Webhooks has it.
 */
export function signatureHeaders(
  secret: string,
  { eventId, seconds, body }: { readonly eventId: string; readonly seconds: number; readonly body: Buffer },
): Signatures {
  const standardKey = createSecretKey(secret.slice(PREFIX.length), 'base64');
  return {
    'X-Service-Signature': `t=${seconds},v1=${mac(secret, `${seconds}.`, body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac(standardKey, `${eventId}.${seconds}.`, body).digest('base64')}`,
  };
}

/** Receivers accept a signature for so long. */
const VALID_MS = 5 * 60_000;
const SIGNATURE_HEADERS: ReadonlySet<string> = new Set(['X-Service-Signature', 'webhook-signature'] satisfies (keyof Signatures)[]);

/** The headers of a request as they may be shown: a signature only once no receiver accepts it any more. */
export function withoutValidSignatures(headers: Readonly<Record<string, string>>, ageMs: number): Readonly<Record<string, string>> {
  if (ageMs > VALID_MS) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.has(name)));
}

/** Bare bytes for a key would cost Node several times the digest: it finds out by a throw what they are. */
function mac(key: string | KeyObject, prefix: string, body: Buffer) {
  return createHmac('sha256', key).update(prefix).update(body);
}
