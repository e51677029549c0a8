import type { Position } from '../../kernel/position.js';
import type { Row } from '../../kernel/read-models.js';

/** A stored row; a tombstone has no document. */
export interface DocumentRow {
  readonly _id: string;
  readonly position: Position;
  readonly live: boolean;
  readonly document?: object;
}

/** Characters of keys that a server or its driver would interpret as a path, an operator or a type. */
const RESERVED = /[%.$\0]/g;
const EMPTY = '%';
const TYPE_TAG = '_bsontype';

export function toDocumentRow({ id, position, document }: Row): DocumentRow {
  return document === null
    ? { _id: id, position, live: false }
    : { _id: id, position, live: true, document: encodeDocument(document) };
}

export function toRow({ _id, position, document }: DocumentRow): Row {
  return { id: _id, position, document: document === undefined ? null : decodeDocument(document) };
}

/** Encodes a document as JSON whose keys have no special meaning for the server or its driver. */
export function encodeDocument(document: object): object {
  return renameKeys(JSON.parse(JSON.stringify(document)), encodeKey) as object;
}

export function decodeDocument<D extends object>(document: object): D {
  return renameKeys(document, decodeKey) as D;
}

export function fieldOf(path: string): string {
  return path === 'id' ? '_id' : `document.${path.split('.').map(encodeKey).join('.')}`;
}

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => renameKeys(one, rename));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), renameKeys(inner, rename)]));
}

export function encodeKey(key: string): string {
  if (key === '') return EMPTY;
  if (key === TYPE_TAG) return `${escapeCharacter('_')}${TYPE_TAG.slice(1)}`;
  return key.replace(RESERVED, escapeCharacter);
}

export function decodeKey(key: string): string {
  if (key === EMPTY) return '';
  return key.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
