import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { type EncryptedField, isEncryptedField, toComparableEmail } from '../../kernel/encrypted-field.js';
import { isFreeForm } from '../../kernel/free-form-fields.js';
import { Vault } from '../../kernel/vault.js';
import { LruCache } from '../lru-cache.js';
import { decrypt, encrypt } from './aes-gcm.js';
import { Keys, VAULT_PURPOSE } from './keys.js';

const SUBJECT_BYTES = 16;
const MAC_BYTES = 8;
const KEY_BYTES = 32;
/** Separates the two parts of a subject; no digest contains it. */
const SCOPE_SEPARATOR = ':';
const CACHED_SUBJECTS = 2_000;
/** Maximum time for which a cached key may decrypt after its destruction. */
const CACHED_MS = 5_000;

/**
 * Encrypts personal fields. Each normalised email address is one subject with one key; to forget a subject, its key is
 * destroyed. A field can be encrypted for an address in one scope, such as a buyer of a business: `<subject>:<scope>`. It
 * needs the keys of both, so that forgetting the scope leaves the fields of the address in other scopes readable, and
 * forgetting the address erases all of them. A box is `<subject>.<MAC, iv, tag and ciphertext>`. The MAC proves that
 * this service made the box, since a caller may send a similar text.
 */
@Injectable()
export class PersonalFields {
  private readonly cache = new LruCache<string, { key: Buffer; until: number }>(CACHED_SUBJECTS);
  /** Combined keys by their two parts. They are dropped together with the cached parts. */
  private readonly combined = new WeakMap<Buffer, WeakMap<Buffer, Buffer>>();

  constructor(
    private readonly vault: Vault,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** Encrypts `text`, an address or a name, under the subject of the email address, and of the scope if there is one. */
  async encrypt(email: string, text: string, scope?: string): Promise<EncryptedField> {
    const subject = this.subjectOf(email, scope);
    const encrypted = encrypt(await this.findOrCreateKey(subject), subject, Buffer.from(text));
    const hash = this.hash(text);
    const box = `${subject}.${Buffer.concat([this.computeMacs(subject, hash, encrypted)[0]!, encrypted]).toString('base64url')}`;
    return { box, hash };
  }

  async encryptEmail(email: string, scope?: string): Promise<EncryptedField> {
    return this.encrypt(email, email.trim(), scope);
  }

  /** Returns the keyed hash of the normalised text; equals `hash` of the same text when encrypted. */
  hash(text: string): string {
    return this.keys.digestForIndex('hash', toComparableEmail(text)).toString('base64url');
  }

  /**
   * Returns the value with every encrypted field, except in free-form fields, replaced by its text. A field whose key is
   * destroyed becomes null, with `erased: true` beside it.
   */
  async decrypt<T>(value: T): Promise<T> {
    const boxes = new Map<object, Box>();
    this.collectBoxes(value, boxes);
    if (boxes.size === 0) return value;

    const subjects = new Set([...boxes.values()].map(({ subject }) => subject));
    const keys = new Map<string, Buffer | null>();
    await Promise.all([...subjects].map(async (subject) => keys.set(subject, await this.findKey(subject))));
    return decryptFields(value, (field) => {
      const box = boxes.get(field);
      return box && decryptBox(box, keys.get(box.subject) ?? null);
    }) as T;
  }

  /** Returns the subject of an email address, or of the address in a scope. */
  subjectOf(email: string, scope?: string): string {
    const digest = this.keys.digestForIndex('subject', toComparableEmail(email)).subarray(0, SUBJECT_BYTES);
    return [digest.toString('base64url'), ...(scope === undefined ? [] : [scope])].join(SCOPE_SEPARATOR);
  }

  /** Returns whether a field was encrypted for the subject, and its key exists. */
  async hasKey(subject: string): Promise<boolean> {
    return (await this.vault.get(vaultId(subject))) !== null;
  }

  /**
   * Destroys the key of a subject. Its past and future boxes can no longer be decrypted; other processes notice after at
   * most 5 s.
   */
  async forget(subject: string): Promise<void> {
    await this.vault.destroy(vaultId(subject));
    this.cache.delete(subject);
  }

  private collectBoxes(value: unknown, boxes: Map<object, Box>): void {
    if (typeof value !== 'object' || value === null) return;
    const box = this.parseBox(value);
    if (box !== null) boxes.set(value, box);
    else if (Array.isArray(value)) for (const inner of value) this.collectBoxes(inner, boxes);
    else
      for (const name of Object.keys(value))
        if (!isFreeForm(name)) this.collectBoxes((value as Record<string, unknown>)[name], boxes);
  }

  private parseBox(value: object): Box | null {
    if (!isEncryptedField(value)) return null;
    const [subject, rest, more] = value.box.split('.');
    if (subject === undefined || rest === undefined || more !== undefined) return null;
    const bytes = Buffer.from(rest, 'base64url');
    if (bytes.length <= MAC_BYTES) return null;

    const encrypted = bytes.subarray(MAC_BYTES);
    const given = bytes.subarray(0, MAC_BYTES);
    return this.computeMacs(subject, value.hash, encrypted).some((mac) => timingSafeEqual(mac, given))
      ? { subject, encrypted }
      : null;
  }

  /** Computes the MAC under each pepper, current one first. */
  private computeMacs(subject: string, hash: string, encrypted: Buffer): Buffer[] {
    return this.keys
      .digestWithAll('box', `${subject}.${hash}.${encrypted.toString('base64url')}`)
      .map((mac) => mac.subarray(0, MAC_BYTES));
  }

  private async findOrCreateKey(subject: string): Promise<Buffer> {
    const parts = await Promise.all(listKeyHolders(subject).map((holder) => this.findOrCreateStoredKey(holder)));
    return this.combineKeys(parts);
  }

  private async findKey(subject: string): Promise<Buffer | null> {
    const parts = await Promise.all(listKeyHolders(subject).map((holder) => this.findStoredKey(holder)));
    return parts.includes(null) ? null : this.combineKeys(parts as Buffer[]);
  }

  private combineKeys([first, second]: readonly Buffer[]): Buffer {
    if (second === undefined) return first!;
    const ofFirst = this.combined.get(first!) ?? new WeakMap<Buffer, Buffer>();
    this.combined.set(first!, ofFirst);
    const known = ofFirst.get(second);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', Buffer.concat([first!, second]), '', 'personal field', KEY_BYTES));
    ofFirst.set(second, key);
    return key;
  }

  private async findOrCreateStoredKey(subject: string): Promise<Buffer> {
    const known = await this.findStoredKey(subject);
    if (known !== null) return known;
    const id = vaultId(subject);
    const fresh = randomBytes(KEY_BYTES);
    const kept = await this.vault.putIfAbsent(id, this.keys.encrypt(VAULT_PURPOSE, id, fresh));
    // A forgotten subject stays forgotten: a field that is encrypted for it now can never be decrypted.
    return kept === null ? fresh : this.cacheKey(subject, this.keys.decrypt(VAULT_PURPOSE, id, kept));
  }

  private async findStoredKey(subject: string): Promise<Buffer | null> {
    const known = this.cache.get(subject);
    if (known !== undefined && known.until > this.clock.monotonic()) return known.key;
    const id = vaultId(subject);
    const kept = await this.vault.get(id);
    return kept === null ? null : this.cacheKey(subject, this.keys.decrypt(VAULT_PURPOSE, id, kept));
  }

  /** Copies the key out of the pool of small buffers: a cached slice would hold 8 KiB of the pool in memory. */
  private cacheKey(subject: string, decrypted: Buffer): Buffer {
    const key = Buffer.allocUnsafeSlow(decrypted.length);
    decrypted.copy(key);
    this.cache.set(subject, { key, until: this.clock.monotonic() + CACHED_MS });
    return key;
  }
}

export function subjectOfBox({ box }: EncryptedField): string {
  return box.split('.')[0]!;
}

/**
 * Returns the subject of the box's address in a scope. To forget it never affects another scope, also when an older
 * version encrypted the field without a scope.
 */
export function scopedSubjectOfBox(field: EncryptedField, scope: string): string {
  return [unscopedSubjectOfBox(field), scope].join(SCOPE_SEPARATOR);
}

/** Returns the subject of the box's address everywhere. */
export function unscopedSubjectOfBox(field: EncryptedField): string {
  return subjectOfBox(field).split(SCOPE_SEPARATOR)[0]!;
}

interface Box {
  readonly subject: string;
  readonly encrypted: Buffer;
}

/** @param decryptField returns undefined for an object that is not a box */
function decryptFields(value: unknown, decryptField: (field: object) => string | null | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const text = decryptField(value);
  if (text !== undefined) return text;
  if (Array.isArray(value)) return value.map((inner) => decryptFields(inner, decryptField));

  const fields = Object.entries(value).map(
    ([name, inner]) => [name, isFreeForm(name) ? inner : decryptFields(inner, decryptField)] as const,
  );
  const erased = fields.some(([name, text]) => text === null && (value as Record<string, unknown>)[name] !== null);
  return Object.fromEntries(erased ? [...fields, ['erased', true]] : fields);
}

function decryptBox({ subject, encrypted }: Box, key: Buffer | null): string | null {
  return key === null ? null : decrypt(key, subject, encrypted).toString();
}

/** Returns the subjects whose keys a field of this subject needs: that of the address, and that of its scope. */
function listKeyHolders(subject: string): readonly string[] {
  const end = subject.indexOf(SCOPE_SEPARATOR);
  return end === -1 ? [subject] : [subject.slice(0, end), subject];
}

function vaultId(subject: string): string {
  return `subject:${subject}`;
}
