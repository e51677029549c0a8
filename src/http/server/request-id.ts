import type { IncomingMessage } from 'node:http';
import { randomIdOf } from '../../kernel/ids.js';

const VALID_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the request id that the caller sent when it is valid, or a new one. */
export function requestIdFor({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : newRequestId();
}

export function newRequestId(): string {
  return randomIdOf('req', Date.now());
}
