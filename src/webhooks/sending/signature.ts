import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Both signatures over the very bytes that are sent. `X-Service-Signature` is keyed with the whole secret as text,
 * `webhook-signature` with the 32 bytes in it, as Standard Webhooks has it.
 */
export function signatureHeaders(secret: string, { eventId, seconds, body }: { eventId: string; seconds: number; body: Buffer }) {
  const standardKey = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return {
    'X-Service-Signature': `t=${seconds},v1=${mac(secret, `${seconds}.`, body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac(standardKey, `${eventId}.${seconds}.`, body).digest('base64')}`,
  };
}

function mac(key: string | Buffer, prefix: string, body: Buffer) {
  return createHmac('sha256', key).update(prefix).update(body);
}
