import { concatenate, importKey, toBytes } from './bytes.ts';
import type { WebhookEvent } from './generated/events.gen.ts';

const HEADER = 'X-Service-Signature';
const TOLERANCE_SECONDS = 300;

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of the signature may be from now. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The current time, in milliseconds. */
  readonly now?: number;
}

/** The reason why a webhook is invalid. */
export type VerificationFault =
  'missing_signature' | 'malformed_signature' | 'outside_tolerance' | 'no_matching_signature' | 'invalid_body';

export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
  readonly fault: VerificationFault;

  constructor(fault: VerificationFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Returns the event after it has verified the signature over the unchanged bytes of the body.
 * @param secret the signing secret of the endpoint; several during a rotation
 * @throws WebhookVerificationError, or a TypeError for a missing secret
 */
export async function verifyWebhook(
  payload: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = [secret].flat();
  // Anybody can sign with an empty secret.
  if (!secrets.every(Boolean)) throw new TypeError('The signing secret is missing; is the environment variable set?');
  const { seconds, signatures } = parseSignature(readHeader(headers));
  const age = now / 1000 - Number(seconds);
  if (Math.abs(age) > toleranceSeconds) {
    const side = age > 0 ? 'in the past' : 'in the future';
    const message = `The time of the signature is ${Math.round(Math.abs(age))} s ${side}; the limit is ${toleranceSeconds} s.`;
    throw new WebhookVerificationError('outside_tolerance', message);
  }
  const signed = concatenate(toBytes(`${seconds}.`), toBytes(payload));
  for (const each of secrets) if (await hasSignature(signed, signatures, each)) return parseEvent(payload);
  throw new WebhookVerificationError(
    'no_matching_signature',
    'No signature matches: the secret is of another endpoint, or the body is not the one that was sent.',
  );
}

function readHeader(headers: WebhookHeaders): string {
  const value =
    headers instanceof Headers
      ? headers.get(HEADER)
      : Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER.toLowerCase())?.[1];
  if (value === null || value === undefined || value.length === 0)
    throw new WebhookVerificationError('missing_signature', `The header ${HEADER} is missing.`);
  return [value].flat().join(',');
}

/** Parses `t=…,v1=…`, with one or more `v1`. Other parts are ignored. */
function parseSignature(header: string) {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const valuesOf = (name: string) => parts.filter(([each]) => each === name).map(([, value = '']) => value);
  const [seconds = ''] = valuesOf('t');
  const signatures = valuesOf('v1').filter((each) => /^[0-9a-f]{64}$/.test(each));
  if (!/^\d{1,15}$/.test(seconds) || signatures.length === 0)
    throw new WebhookVerificationError('malformed_signature', `The header ${HEADER} is not "t=<seconds>,v1=<hex>".`);
  return { seconds, signatures };
}

/** Web Crypto compares in constant time. */
async function hasSignature(signed: Uint8Array<ArrayBuffer>, signatures: readonly string[], secret: string) {
  const key = await importKey(toBytes(secret), 'verify');
  const results = await Promise.all(
    signatures.map((each) => crypto.subtle.verify('HMAC', key, Uint8Array.from(fromHex(each)), signed)),
  );
  return results.includes(true);
}

function fromHex(digits: string): number[] {
  return digits.match(/../g)!.map((byte) => Number.parseInt(byte, 16));
}

function parseEvent(payload: string | ArrayBuffer | Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(toBytes(payload))) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is signed, but it is not JSON.');
  }
}
