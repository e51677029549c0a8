import { importKey, toBytes } from './bytes.ts';
import type { WebhookEvent } from './generated/events.gen.ts';

const PREFIX = 'whsec_';

/** The event of a test webhook. The members that are left out get values that fit. */
export interface TestEvent extends Partial<Omit<WebhookEvent, 'type' | 'data'>> {
  readonly type: WebhookEvent['type'];
  readonly data: object;
}

/** A request as the service sends it. */
export interface TestWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TestWebhookOptions {
  /** The time of the signature, in milliseconds. Default: the current time. */
  readonly now?: number;
}

/**
 * Signs an event as the service does, with both signature schemes, so that a receiver can be tested without the service.
 * @param event a text is sent as it is, for a test with a malformed body
 * @param secret the signing secret with which the receiver verifies
 * @throws TypeError for a secret that is not one
 */
export async function createTestWebhook(
  event: TestEvent | string,
  secret: string,
  { now = Date.now() }: TestWebhookOptions = {},
): Promise<TestWebhook> {
  const content = complete(typeof event === 'string' ? { type: 'webhook.test', data: {} } : event, now);
  const body = typeof event === 'string' ? event : JSON.stringify(content);
  const seconds = String(Math.floor(now / 1000));
  const standardMac = await computeMac(decodeSecret(secret), `${content.id}.${seconds}.${body}`);
  const mac = await computeMac(toBytes(secret), `${seconds}.${body}`);
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'event-sourced-api/1',
      'X-Service-Event-Id': content.id,
      'X-Service-Event-Type': content.type,
      'X-Service-Delivery-Id': content.delivery_id,
      'X-Service-Attempt': String(content.attempt),
      'X-Service-Signature': `t=${seconds},v1=${Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      'webhook-id': content.id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...standardMac))}`,
    },
  };
}

/** The members are in the order of the service. An undefined member stays out of JSON, so it gets its value too. */
function complete({ data, ...given }: TestEvent, now: number) {
  const time = new Date(now).toISOString();
  const id = given.id ?? `evt_${createId()}`;
  return {
    id,
    type: given.type,
    version: given.version ?? '1',
    occurred_at: given.occurred_at ?? time,
    sequence: given.sequence ?? 1,
    created_at: given.created_at ?? time,
    delivery_id: given.delivery_id ?? `whd_${createId()}`,
    attempt: given.attempt ?? 1,
    test: given.test ?? true,
    data,
    changes: given.changes ?? null,
  };
}

/** Returns characters that ids have. */
function createId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 26);
}

/** Returns the bytes that a secret encodes, the key of Standard Webhooks. */
function decodeSecret(secret: string): Uint8Array {
  try {
    if (secret.startsWith(PREFIX))
      return Uint8Array.from(atob(secret.slice(PREFIX.length)), (each) => each.charCodeAt(0));
  } catch {
    // The message below says it.
  }
  throw new TypeError(`The signing secret is not "${PREFIX}" and base64`);
}

async function computeMac(key: Uint8Array, signed: string): Promise<Uint8Array> {
  return new Uint8Array(
    await crypto.subtle.sign('HMAC', await importKey(key, 'sign'), Uint8Array.from(toBytes(signed))),
  );
}
