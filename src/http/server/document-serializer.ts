import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { LruCache } from '../../engine/lru-cache.js';
import { JsonDocument } from '../../kernel/read-models.js';
import { removeHiddenFields } from './api-response.js';

const MAX_CHARACTERS = 2_000_000;

/**
 * Serializes unparsed documents. It remembers the visible part of documents that it serialized before, because clients
 * often read the same page. A document with encrypted fields is decrypted for every response: its key may be destroyed.
 */
@Injectable()
export class DocumentSerializer {
  /** The visible part of a document by its stored JSON. */
  private readonly cache = new LruCache<string, string>(MAX_CHARACTERS, (json) => 2 * json.length);

  constructor(private readonly personal: PersonalFields) {}

  /** Returns the JSON of the document, without hidden fields and with decrypted fields: at once when it is remembered. */
  serializeOne({ json }: JsonDocument): string | Promise<string> {
    return this.cache.get(json) ?? this.decrypt(json);
  }

  /** Returns the JSON array of the documents, without hidden fields and with decrypted fields. */
  async serialize(documents: readonly JsonDocument[]): Promise<string> {
    const texts = await Promise.all(documents.map(async (document) => this.serializeOne(document)));
    return `[${texts.join(',')}]`;
  }

  private async decrypt(json: string): Promise<string> {
    const visible = removeHiddenFields(JSON.parse(json));
    const opened = await this.personal.decrypt(visible);
    const text = JSON.stringify(opened);
    if (opened === visible) this.cache.set(json, text);
    return text;
  }
}

/** Returns whether the data is a list that is not parsed: then all of its documents are unparsed. */
export function isUnparsedList(data: unknown): data is readonly JsonDocument[] {
  return Array.isArray(data) && data[0] instanceof JsonDocument;
}
