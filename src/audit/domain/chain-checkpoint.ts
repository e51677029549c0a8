import type { Position } from '../../kernel/position.js';

/** The end of a hash chain: the number of its events and its last hash, in hex. */
export interface ChainHead {
  readonly count: number;
  readonly head: string;
}

/** The head of a business's chain at one position of the log. */
export interface HashChainState extends ChainHead {
  readonly position: Position;
}

/** A chain's head that the service has signed. */
export interface ChainCheckpoint extends HashChainState {
  readonly signed_at: string;
  readonly key_id: string;
  /** Ed25519, in base64url. */
  readonly signature: string;
}
