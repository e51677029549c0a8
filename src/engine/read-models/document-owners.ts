import type { Owned } from '../../kernel/ownership.js';
import { JsonDocument, parseDocument } from '../../kernel/read-models.js';
import { LruCache } from '../lru-cache.js';

const MAX_CHARACTERS = 1_000_000;

/** Tells who owns an unparsed document. It remembers the owners of documents that were read a short time ago. */
export class DocumentOwners {
  private readonly known = new LruCache<string, Owned & { readonly characters: number }>(
    MAX_CHARACTERS,
    ({ characters }) => characters,
  );

  find<D extends Owned>(document: D | JsonDocument): Owned {
    if (!(document instanceof JsonDocument)) return document;
    const { json } = document;
    const known = this.known.get(json);
    if (known !== undefined) return known;

    const { _business, _mode } = parseDocument<Owned>(document);
    const owner = { _business, _mode, characters: json.length };
    this.known.set(json, owner);
    return owner;
  }
}
