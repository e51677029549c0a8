import { createHmac } from 'node:crypto';

/** The two keys that everything secret hangs on: the master key seals, the pepper hashes. Never stored with the data. */
export class Keys {
  constructor(
    readonly master: Buffer,
    private readonly pepper: Buffer,
  ) {}

  /** A keyed digest for one purpose: the same text under another purpose has nothing in common with it. */
  digest(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.pepper).update(purpose).update('\u0000').update(text).digest();
  }
}
