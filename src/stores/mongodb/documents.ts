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
const MEANT_OTHERWISE = /[%.$\0]/g;
const EMPTY = '%';
const TYPE_TAG = '_bsontype';

export function rowOf({ id, position, document }: Row): DocumentRow {
  return document === null ? { _id: id, position, live: false } : { _id: id, position, live: true, document: kept(document) };
}

export function asRow({ _id, position, document }: DocumentRow): Row {
  return { id: _id, position, document: document === undefined ? null : asDocument(document) };
}

/** Encodes a document as JSON whose keys have no special meaning for the server or its driver. */
export function kept(document: object): object {
  return renamed(JSON.parse(JSON.stringify(document)), keptKey) as object;
}

export function asDocument<D extends object>(document: object): D {
  return renamed(document, ownKey) as D;
}

/** Returns the stored field of a path of the document. */
export function fieldOf(path: string): string {
  return path === 'id' ? '_id' : `document.${path.split('.').map(keptKey).join('.')}`;
}

function renamed(value: unknown, rename: (key: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), renamed(inner, rename)]));
}

function keptKey(key: string): string {
  if (key === '') return EMPTY;
  if (key === TYPE_TAG) return `${escaped('_')}${TYPE_TAG.slice(1)}`;
  return key.replace(MEANT_OTHERWISE, escaped);
}

function ownKey(key: string): string {
  if (key === EMPTY) return '';
  return key.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
