import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { SetMetadata } from '@nestjs/common';
import type { Caller } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { RawBody } from '../server/ingress.js';

const HEADER = 'idempotency-key';
const MAX_CODE_POINTS = 255;
const EMPTY_OBJECT_MAX_BYTES = 64;

export const KEY_REQUIRED = 'edge:idempotency-key-required';

/** Makes the route reject requests without a key. Every other POST outside the community accepts an optional key. */
export const IdempotencyKeyRequired = () => SetMetadata(KEY_REQUIRED, true);

/**
 * Returns the key of the request, or null. Node decodes headers as latin1 and joins repeated headers, so the raw
 * headers are read.
 */
export function parseIdempotencyKey(rawHeaders: readonly string[]): string | null {
  const given = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === HEADER);
  if (given.length === 0) return null;
  if (given.length > 1) throw createKeyRejection('the header was sent twice');

  const bytes = Buffer.from(given[0]!, 'latin1');
  if (!isUtf8(bytes)) throw createKeyRejection('the value is not UTF-8');
  const key = bytes.toString('utf8');
  const codePoints = [...key].length;
  if (codePoints === 0 || codePoints > MAX_CODE_POINTS || key.includes('\u0000'))
    throw createKeyRejection(`the value must have 1 to ${MAX_CODE_POINTS} characters`);
  return key;
}

/** Returns the scope in which a key is unique: the business and mode, the cart, or the user. */
export function scopeFor({ kind, business, mode, user, cart, actor }: Caller): string {
  if (kind === 'cart_token') return `cart:${cart}`;
  return business === null ? `user:${user?.id ?? actor.id}` : `business:${business}:${mode}`;
}

/** @param withBody whether the operation takes a body. If not, an empty object counts as no body. */
export function computeFingerprint(request: FingerprintedRequest, caller: Caller, withBody: boolean): string {
  const actor = caller.kind === 'session' ? `${caller.actor.id} ${caller.mode}` : '';
  const hasBody = request.body instanceof RawBody && (withBody || !isEmptyObject(request.body.bytes));
  const head = Buffer.from(`${request.method} ${request.url} ${actor}\u0000`);
  return hash('sha256', hasBody ? Buffer.concat([head, request.body.bytes]) : head, 'base64url');
}

interface FingerprintedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

function isEmptyObject(bytes: Buffer): boolean {
  return bytes.length <= EMPTY_OBJECT_MAX_BYTES && /^\s*\{\s*\}\s*$/.test(bytes.toString('latin1'));
}

function createKeyRejection(reason: string): Rejection {
  return new Rejection('invalid_idempotency_key', `The Idempotency-Key is invalid: ${reason}.`, 'Idempotency-Key');
}
