import type { Attempt } from '../domain/chain.js';
import { signatureHeaders, type Signatures } from './signature.js';

const MAX_BYTES = 256 * 1024;
const USER_AGENT = 'event-sourced-api/1';

/** A public event, with its personal fields decrypted, as it is sent to one receiver. */
export interface Telling {
  readonly eventId: string;
  readonly type: string;
  readonly version: string;
  readonly occurredAt: string;
  readonly test: boolean;
  readonly data: object;
}

export interface Envelope {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type Sent = Pick<Attempt, 'deliveryId' | 'attempt' | 'startedAt'>;

/**
 * Returns the body and the headers of one attempt. The signed bytes are the sent bytes. Returns null when the body is
 * too large.
 */
export function envelopeOf(
  event: Telling,
  attempt: Sent,
  secret: string,
  nowMs: number,
): (Envelope & { readonly signatures: Signatures }) | null {
  const body = Buffer.from(JSON.stringify(contentOf(event, attempt)));
  if (body.length > MAX_BYTES) return null;
  const signatures = signatureHeaders(secret, { ...event, seconds: Math.floor(nowMs / 1_000), body });
  return { body, headers: headersOf(event, attempt, signatures), signatures };
}

/** Rebuilds a request that was sent before. Only its signatures were stored. */
export function sentBefore(event: Telling, attempt: Sent, signatures: Signatures): { headers: Envelope['headers']; body: string } {
  return { headers: headersOf(event, attempt, signatures), body: JSON.stringify(contentOf(event, attempt)) };
}

function contentOf({ eventId, type, version, occurredAt, test, data }: Telling, { startedAt, deliveryId, attempt }: Sent) {
  return {
    id: eventId,
    type,
    version,
    occurred_at: occurredAt,
    created_at: startedAt,
    delivery_id: deliveryId,
    attempt,
    test,
    data,
  };
}

function headersOf({ eventId, type }: Telling, { deliveryId, attempt }: Sent, signatures: Signatures): Envelope['headers'] {
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event-Id': eventId,
    'X-Service-Event-Type': type,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': String(attempt),
    ...signatures,
  };
}
