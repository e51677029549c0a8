import { createHash } from 'node:crypto';
import { Rejection } from '../kernel/rejection.js';
import type { Scalar, Where } from '../kernel/read-models.js';

const MAX_CHARACTERS = 1_000;

/** The place in a list's order behind which the next slice begins. */
export interface Place {
  readonly value: Scalar;
  readonly id: string;
}

/** Names a list: its projection, its order and what it is filtered by, ranges aside (they may move between two requests). */
export function listTag(projection: string, orderBy: string, where: Where): string {
  const equalities = Object.entries(where).filter(
    ([, condition]) => typeof condition !== 'object' || condition === null || 'in' in condition,
  );
  const text = JSON.stringify([projection, orderBy, equalities.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

export function cursorOf({ value, id }: Place, tag: string): string {
  return Buffer.from(JSON.stringify([value, id, tag])).toString('base64url');
}

/** @throws Rejection `invalid_parameter` for what this list never gave out */
export function placeOf(cursor: string, tag: string): Place {
  const [value, id, itsTag, ...more] = parsed(cursor);
  if (!isScalar(value) || typeof id !== 'string' || id === '' || itsTag !== tag || more.length > 0) throw forged();
  if (cursorOf({ value, id }, tag) !== cursor) throw forged();
  return { value, id };
}

function parsed(cursor: string): unknown[] {
  if (cursor.length > MAX_CHARACTERS) throw forged();
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    throw forged();
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function forged(): Rejection {
  return new Rejection('invalid_parameter', 'The cursor is not one that this list gave out.', 'after');
}
