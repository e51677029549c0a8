import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The two keys that everything secret hangs on: the master key seals, the pepper hashes. Never stored with the data. */
export class Keys {
  private readonly pepper: KeyObject;

  constructor(
    readonly master: Buffer,
    pepper: Buffer,
  ) {
    this.pepper = createSecretKey(pepper);
  }

  /** A keyed digest for one purpose: the same text under another purpose has nothing in common with it. */
  digest(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.pepper).update(`${purpose}\u0000${text}`).digest();
  }
}
