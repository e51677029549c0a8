import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Rejection } from '../kernel/rejection.js';
import { RawBody } from './entrance.js';
import { sizeOfJson } from './json-size.js';
import { rejection } from './refusals.js';

const LARGE_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
/** Members and elements, at all levels. */
const MAX_VALUES = 20_000;
const JSON_MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/**
 * The value that a body holds; undefined when there is none: an empty body is no body, whatever its media type.
 * A large one lets other work go on between its steps.
 */
export async function jsonOf(body: unknown): Promise<unknown> {
  if (!(body instanceof RawBody) || body.bytes.length === 0) return undefined;
  const { bytes, mediaType, encoding } = body;
  if (!JSON_MEDIA_TYPE.test(mediaType?.trim() ?? '') || (encoding !== undefined && encoding.toLowerCase() !== 'identity'))
    throw rejection('unsupported_media_type');

  if (!isUtf8(bytes)) throw invalid('it is not UTF-8');
  const { depth, values } = sizeOfJson(bytes);
  if (depth > MAX_DEPTH) throw invalid(`it is deeper than ${MAX_DEPTH}`);
  if (values > MAX_VALUES) throw new Rejection('payload_too_large', `A body may hold ${MAX_VALUES.toLocaleString('en')} JSON values.`);
  const pause = bytes.length > LARGE_BYTES ? () => nextTurn() : () => undefined;
  await pause();
  const text = bytes.toString('utf8');
  const value = parsed(text);
  await pause();
  // Only an escape brings in what UTF-8 cannot hold.
  if (text.includes('\\u')) refuseUnstorable(value);
  await pause();
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? invalid('it does not parse') : error;
  }
}

function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\u0000')) throw invalid('it holds a lone surrogate or U+0000');
  } else if (typeof value === 'object' && value !== null) {
    Object.keys(value).forEach(refuseUnstorable);
    Object.values(value).forEach(refuseUnstorable);
  }
}

function invalid(why: string): Rejection {
  return new Rejection('invalid_json', `The body is not JSON that can be taken: ${why}.`);
}

/** A JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
