import { createCipheriv, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Recent } from '../engine/recent.js';
import { Keys } from '../engine/sealing/keys.js';
import { StoreIdentity } from '../engine/store-identity.js';
import type { Caller } from '../identity/caller.js';
import { Progress } from '../kernel/context.js';
import { later, START, type Position } from '../kernel/position.js';
import { nameOf } from './context.js';

const REMEMBERED_CALLERS = 10_000;
const MARK_BYTES = 16;
const TOKEN_MAX_CHARACTERS = 256;

/**
 * Lets callers read their own writes: with the token of an earlier response, and without a token in the same process.
 */
@Injectable()
export class Consistency {
  private readonly written = new Recent<string, Position>(REMEMBERED_CALLERS);

  constructor(
    private readonly keys: Keys,
    private readonly store: StoreIdentity,
  ) {}

  progressOf(caller: Caller, token: unknown): Progress {
    const remembered = this.written.get(nameOf(caller)) ?? START;
    return new Progress(later(remembered, this.positionIn(token)));
  }

  /**
   * Remembers the last write of the caller, but not its token: in a restored store the token may point beyond the end
   * of the log.
   */
  wrote(caller: Caller, { written }: Progress): void {
    if (written === START) return;
    const name = nameOf(caller);
    this.written.set(name, later(this.written.get(name) ?? START, written));
  }

  /**
   * Returns an encrypted token, which hides the position. Each process creates the same token for the same position.
   */
  tokenOf({ position }: Progress): string {
    const mark = this.mark(position);
    return Buffer.concat([mark, this.enciphered(mark, Buffer.from(position))]).toString('base64url');
  }

  /** Returns the position in the token. A malformed token, or one of another store, counts as missing. */
  private positionIn(token: unknown): Position {
    if (typeof token !== 'string' || token.length > TOKEN_MAX_CHARACTERS) return START;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length < MARK_BYTES) return START;
    const mark = bytes.subarray(0, MARK_BYTES);
    const position = this.enciphered(mark, bytes.subarray(MARK_BYTES)).toString();
    return timingSafeEqual(mark, this.mark(position)) ? position : START;
  }

  /** Applies a stream cipher, which both encrypts and decrypts. The nonce is the MAC of the position. */
  private enciphered(mark: Buffer, bytes: Buffer): Buffer {
    const key = this.keys.digest('consistency cipher', this.store.id);
    const cipher = createCipheriv('aes-256-ctr', key, mark);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  }

  private mark(position: Position): Buffer {
    return this.keys.digest('consistency', `${this.store.id}\u0000${position}`).subarray(0, MARK_BYTES);
  }
}
