import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Recent } from '../engine/recent.js';
import { Keys } from '../engine/sealing/keys.js';
import { StoreIdentity } from '../engine/store-identity.js';
import type { Caller } from '../identity/caller.js';
import { Progress } from '../kernel/context.js';
import { later, START, type Position } from '../kernel/position.js';
import { nameOf } from './context.js';

const REMEMBERED_CALLERS = 10_000;
const MARK_BYTES = 12;

/** How callers read their own writes: by the token of an earlier answer, and without one on this very instance. */
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

  /** A token is no proof of what was written here: after a store has been brought back from a copy it may lie beyond the log's end. */
  wrote(caller: Caller, { written }: Progress): void {
    if (written === START) return;
    const name = nameOf(caller);
    this.written.set(name, later(this.written.get(name) ?? START, written));
  }

  tokenOf({ position }: Progress): string {
    return `${Buffer.from(position).toString('base64url')}.${this.mark(position).toString('base64url')}`;
  }

  /** A malformed or foreign token is no token. */
  private positionIn(token: unknown): Position {
    const [text = '', mark = ''] = typeof token === 'string' ? token.split('.') : [];
    const position = Buffer.from(text, 'base64url').toString();
    const given = Buffer.from(mark, 'base64url');
    return given.length === MARK_BYTES && timingSafeEqual(given, this.mark(position)) ? position : START;
  }

  private mark(position: Position): Buffer {
    return this.keys.digest('consistency', `${this.store.id}\u0000${position}`).subarray(0, MARK_BYTES);
  }
}
