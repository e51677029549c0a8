import { isUtf8 } from 'node:buffer';
import { Rejection } from '../kernel/rejection.js';
import { RawBody } from './entrance.js';
import { rejection } from './refusals.js';

const MAX_DEPTH = 32;
const JSON_MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/** The value that a body holds; undefined when there is none: an empty body is no body, whatever its media type. */
export function jsonOf(body: unknown): unknown {
  if (!(body instanceof RawBody) || body.bytes.length === 0) return undefined;
  const { bytes, mediaType, encoding } = body;
  if (!JSON_MEDIA_TYPE.test(mediaType?.trim() ?? '') || (encoding !== undefined && encoding.toLowerCase() !== 'identity'))
    throw rejection('unsupported_media_type');

  if (!isUtf8(bytes)) throw invalid('it is not UTF-8');
  return parsed(bytes.toString('utf8'));
}

function parsed(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw invalid(`it is deeper than ${MAX_DEPTH}`);
  try {
    const value: unknown = JSON.parse(text);
    // Only an escape brings in what UTF-8 cannot hold.
    if (text.includes('\\u')) refuseUnstorable(value);
    return value;
  } catch (error) {
    throw error instanceof SyntaxError ? invalid('it does not parse') : error;
  }
}

/** Counted before parsing, so that a body cannot exhaust the stack of whoever walks through it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted) {
      if (character === '\\') i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
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
