import type { Scalar, SortKey, Where } from '../../kernel/read-models.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Keys } from '../encryption/keys.js';

const MAX_CHARACTERS = 1_000;
const MAC_CHARACTERS = 16;

/**
 * Encodes and decodes the cursors of one list. A list is identified by its projection, order and filter, without
 * ranges: these may move between two requests.
 */
export class Cursors {
  private readonly list: string;

  constructor(
    private readonly keys: Keys,
    projection: string,
    orderBy: string,
    where: Where,
  ) {
    this.list = JSON.stringify([projection, orderBy, listFixedConditions(where)]);
  }

  encode({ value, id }: SortKey): string {
    return Buffer.from(JSON.stringify([value, id, this.computeMac(value, id)])).toString('base64url');
  }

  /** @throws Rejection `invalid_parameter` for a cursor that this list did not issue */
  decode(cursor: string): SortKey {
    const [value, id] = parseCursor(cursor);
    if (!isScalar(value) || typeof id !== 'string' || this.encode({ value, id }) !== cursor) throw invalidCursor();
    return { value, id };
  }

  /** Computes a keyed MAC, so that no client can forge or change a cursor. */
  private computeMac(value: Scalar, id: string): string {
    return this.keys
      .digest('cursor', JSON.stringify([value, id, this.list]))
      .toString('base64url')
      .slice(0, MAC_CHARACTERS);
  }
}

function listFixedConditions(where: Where): readonly (readonly [string, unknown])[] {
  return Object.entries(where)
    .filter(([, condition]) => typeof condition !== 'object' || condition === null || 'in' in condition)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function parseCursor(cursor: string): unknown[] {
  if (cursor.length > MAX_CHARACTERS) throw invalidCursor();
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    throw invalidCursor();
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function invalidCursor(): Rejection {
  return new Rejection('invalid_parameter', 'This list did not issue the cursor.', 'after');
}
