import type { PersonalFields } from '../../engine/encryption/personal-fields.js';
import type { FieldChanges } from '../../kernel/field-changes.js';
import type { Attempt } from '../domain/delivery-chain/facts.js';
import { createSignatureHeaders, type Signatures } from './signature.js';

const MAX_BODY_BYTES = 256 * 1024;
const USER_AGENT = 'event-sourced-api/1';

/** A public event, with its personal fields decrypted, as it is sent to one receiver. */
export interface EventPayload {
  readonly eventId: string;
  readonly type: string;
  readonly version: string;
  readonly occurredAt: string;
  readonly sequence: number;
  readonly test: boolean;
  readonly data: object;
  readonly changes: FieldChanges | null;
}

export interface Envelope {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type SentAttempt = Pick<Attempt, 'deliveryId' | 'attempt' | 'startedAt'>;

/** Returns the event with its personal fields in plain text; those of a forgotten person are null. */
export async function decryptPayload<P extends Pick<EventPayload, 'data' | 'changes'>>(
  event: P,
  personal: PersonalFields,
): Promise<P> {
  const { data, changes } = event;
  return { ...event, ...(await personal.decrypt({ data, changes })) };
}

/**
 * Returns the body and the headers of one attempt. The signed bytes are the sent bytes. Returns null when the body is
 * too large.
 */
export function createEnvelope(
  event: EventPayload,
  attempt: SentAttempt,
  secret: string,
  nowMs: number,
): (Envelope & { readonly signatures: Signatures }) | null {
  const body = Buffer.from(JSON.stringify(toContent(event, attempt)));
  if (body.length > MAX_BODY_BYTES) return null;
  const signatures = createSignatureHeaders(secret, { ...event, seconds: Math.floor(nowMs / 1_000), body });
  return { body, headers: toHeaders(event, attempt, signatures), signatures };
}

/** Rebuilds a request that was sent before. Only its signatures were stored. */
export function rebuildRequest(
  event: EventPayload,
  attempt: SentAttempt,
  signatures: Signatures,
): { headers: Envelope['headers']; body: string } {
  return { headers: toHeaders(event, attempt, signatures), body: JSON.stringify(toContent(event, attempt)) };
}

/** Returns the members of an envelope, in the order in which they are sent. */
export function toContent(
  { eventId, type, version, occurredAt, sequence, test, data, changes }: EventPayload,
  { startedAt, deliveryId, attempt }: SentAttempt,
) {
  return {
    id: eventId,
    type,
    version,
    occurred_at: occurredAt,
    sequence,
    created_at: startedAt,
    delivery_id: deliveryId,
    attempt,
    test,
    data,
    changes,
  };
}

function toHeaders(
  { eventId, type }: EventPayload,
  { deliveryId, attempt }: SentAttempt,
  signatures: Signatures,
): Envelope['headers'] {
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
