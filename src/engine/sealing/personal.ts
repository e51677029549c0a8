import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { isSealed, normalisedEmail, type Sealed } from '../../kernel/sealed.js';
import { Vault } from '../../kernel/vault.js';
import { Recent } from '../recent.js';
import { Keys, VAULT } from './keys.js';
import { decrypt, encrypt } from './sealing.js';

const SUBJECT_BYTES = 16;
const MARK_BYTES = 8;
const KEY_BYTES = 32;
const CACHED_SUBJECTS = 10_000;
/** Fields that hold whatever a caller sent. A box there is a copy, and opening it would show one caller what another one has sealed. */
const FREE_FORM = new Set(['metadata', 'attachments']);
/** How long a destroyed key may still open what it sealed. */
const CACHED_MS = 5_000;

/**
 * Personal fields. One subject for each normalised address, one key for each subject; forgetting somebody is destroying that key.
 * A box is `<subject>.<mark, iv, tag and ciphertext>`: the mark says that it is ours, for what a caller sent may look like one.
 */
@Injectable()
export class Personal {
  private readonly known = new Recent<string, { key: Buffer; until: number }>(CACHED_SUBJECTS);

  constructor(
    private readonly vault: Vault,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** `text`, an address or a name, sealed under the subject of this address. */
  async seal(email: string, text: string): Promise<Sealed> {
    const subject = this.subjectOf(email);
    const sealed = encrypt(await this.makeKey(subject), subject, Buffer.from(text));
    const hash = this.hash(text);
    const box = `${subject}.${Buffer.concat([this.marks(subject, hash, sealed)[0]!, sealed]).toString('base64url')}`;
    return { box, hash };
  }

  async sealEmail(email: string): Promise<Sealed> {
    return this.seal(email, email.trim());
  }

  /** Keyed hash of the normalised text; equals `hash` of the same text sealed. */
  hash(text: string): string {
    return this.keys.index('hash', normalisedEmail(text)).toString('base64url');
  }

  /** The value with every sealed field, outside of free-form ones, replaced by its text; by null, with `erased: true` beside it, when its key is gone. */
  async open<T>(value: T): Promise<T> {
    const subjects = new Set<string>();
    this.collect(value, subjects);
    if (subjects.size === 0) return value;

    const keys = new Map<string, Buffer | null>();
    await Promise.all([...subjects].map(async (subject) => keys.set(subject, await this.keyOf(subject))));
    return this.opened(value, keys) as T;
  }

  /** The subject whose key opens what was sealed for this address. */
  subjectOf(email: string): string {
    return this.keys.index('subject', normalisedEmail(email)).subarray(0, SUBJECT_BYTES).toString('base64url');
  }

  /** Destroys its key. What it has sealed, and what it seals from now on, opens for nobody; in other processes after 5 s at most. */
  async forget(subject: string): Promise<void> {
    await this.vault.destroy(vaultId(subject));
    this.known.delete(subject);
  }

  private collect(value: unknown, subjects: Set<string>): void {
    if (typeof value !== 'object' || value === null) return;
    const box = this.ours(value);
    if (box !== null) subjects.add(box.subject);
    else for (const [name, inner] of Object.entries(value)) if (!FREE_FORM.has(name)) this.collect(inner, subjects);
  }

  private opened(value: unknown, keys: ReadonlyMap<string, Buffer | null>): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const box = this.ours(value);
    if (box !== null) return textOf(box, keys.get(box.subject) ?? null);
    if (Array.isArray(value)) return value.map((inner) => this.opened(inner, keys));

    const fields = Object.entries(value).map(([name, inner]) => [name, FREE_FORM.has(name) ? inner : this.opened(inner, keys)] as const);
    const erased = fields.some(([name, text]) => text === null && (value as Record<string, unknown>)[name] !== null);
    return Object.fromEntries(erased ? [...fields, ['erased', true]] : fields);
  }

  private ours(value: object): Box | null {
    if (!isSealed(value)) return null;
    const [subject, rest, more] = value.box.split('.');
    if (subject === undefined || rest === undefined || more !== undefined) return null;
    const bytes = Buffer.from(rest, 'base64url');
    if (bytes.length <= MARK_BYTES) return null;

    const sealed = bytes.subarray(MARK_BYTES);
    const given = bytes.subarray(0, MARK_BYTES);
    return this.marks(subject, value.hash, sealed).some((mark) => timingSafeEqual(mark, given)) ? { subject, sealed } : null;
  }

  /** Of each pepper, the current one first. */
  private marks(subject: string, hash: string, sealed: Buffer): Buffer[] {
    return this.keys.digests('box', `${subject}.${hash}.${sealed.toString('base64url')}`).map((mark) => mark.subarray(0, MARK_BYTES));
  }

  private async makeKey(subject: string): Promise<Buffer> {
    const known = await this.keyOf(subject);
    if (known !== null) return known;
    const id = vaultId(subject);
    const fresh = randomBytes(KEY_BYTES);
    const kept = await this.vault.put(id, this.keys.seal(VAULT, id, fresh));
    // A forgotten subject stays forgotten: what is sealed for it from now on opens for nobody.
    return kept === null ? fresh : this.remember(subject, this.keys.open(VAULT, id, kept));
  }

  private async keyOf(subject: string): Promise<Buffer | null> {
    const known = this.known.get(subject);
    if (known !== undefined && known.until > this.clock.monotonic()) return known.key;
    const id = vaultId(subject);
    const kept = await this.vault.get(id);
    return kept === null ? null : this.remember(subject, this.keys.open(VAULT, id, kept));
  }

  private remember(subject: string, key: Buffer): Buffer {
    this.known.set(subject, { key, until: this.clock.monotonic() + CACHED_MS });
    return key;
  }
}

/** The subject that a box was sealed for. */
export function subjectIn({ box }: Sealed): string {
  return box.split('.')[0]!;
}

interface Box {
  readonly subject: string;
  readonly sealed: Buffer;
}

function textOf({ subject, sealed }: Box, key: Buffer | null): string | null {
  return key === null ? null : decrypt(key, subject, sealed).toString();
}

function vaultId(subject: string): string {
  return `subject:${subject}`;
}
