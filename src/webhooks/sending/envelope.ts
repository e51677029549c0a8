import type { Attempt } from '../domain/chain.js';
import { signatureHeaders } from './signature.js';

const MAX_BYTES = 256 * 1024;
const USER_AGENT = 'event-sourced-api/1';

/** A public event with its personal fields opened, as it is told to one receiver. */
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

/** The bytes of one attempt: serialised once, signed and sent as they are. Null when they are too many. */
export function envelopeOf(event: Telling, attempt: Attempt, secret: string, nowMs: number): Envelope | null {
  const body = Buffer.from(JSON.stringify(contentOf(event, attempt)));
  return body.length > MAX_BYTES
    ? null
    : { body, headers: headersOf(event, attempt, signatureHeaders(secret, { ...event, seconds: Math.floor(nowMs / 1_000), body })) };
}

function contentOf({ eventId, type, version, occurredAt, test, data }: Telling, { startedAt, deliveryId, attempt }: Attempt) {
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

function headersOf({ eventId, type }: Telling, { deliveryId, attempt }: Attempt, signatures: Readonly<Record<string, string>>) {
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
