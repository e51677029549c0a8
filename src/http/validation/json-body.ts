import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Rejection } from '../../kernel/rejection.js';
import { createRejection } from '../problems/rejection-mapping.js';
import { RawBody } from '../server/ingress.js';
import { measureJson } from './json-size.js';

const LARGE_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
/** The limit of members and elements, at all levels. */
const MAX_VALUES = 20_000;
const JSON_MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/**
 * Parses a JSON body. Returns undefined for an empty body, of any media type. Yields to the event loop between the
 * steps of a large body.
 */
export async function parseJsonBody(body: unknown): Promise<unknown> {
  if (!(body instanceof RawBody) || body.bytes.length === 0) return undefined;
  const { bytes, mediaType, encoding } = body;
  if (
    !JSON_MEDIA_TYPE.test(mediaType?.trim() ?? '') ||
    (encoding !== undefined && encoding.toLowerCase() !== 'identity')
  )
    throw createRejection('unsupported_media_type');

  if (!isUtf8(bytes)) throw createJsonRejection('it is not UTF-8');
  const { depth, values, inexactNumberAt } = measureJson(bytes);
  if (depth > MAX_DEPTH) throw createJsonRejection(`it has more than ${MAX_DEPTH} levels`);
  if (values > MAX_VALUES)
    throw new Rejection(
      'payload_too_large',
      `A body may contain at most ${MAX_VALUES.toLocaleString('en')} JSON values.`,
    );
  if (inexactNumberAt !== null)
    throw createJsonRejection(`the number at ${describePlace(bytes, inexactNumberAt)} cannot be stored as it was sent`);
  const pause = bytes.length > LARGE_BYTES ? () => nextTurn() : () => undefined;
  await pause();
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  await pause();
  // Only an escape can produce characters that are invalid in UTF-8.
  if (text.includes('\\u')) assertStorable(value);
  await pause();
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? createJsonRejection('it cannot be parsed') : error;
  }
}

function assertStorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\u0000'))
      throw createJsonRejection('it contains a lone surrogate or U+0000');
  } else if (typeof value === 'object' && value !== null) {
    Object.keys(value).forEach(assertStorable);
    Object.values(value).forEach(assertStorable);
  }
}

/** Returns the line and the column of a byte, both from 1. */
function describePlace(bytes: Buffer, at: number): string {
  const before = bytes.toString('utf8', 0, at).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

function createJsonRejection(reason: string): Rejection {
  return new Rejection('invalid_json', `The body is invalid JSON: ${reason}.`);
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
