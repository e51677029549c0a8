/** Something that is kept, or was: null once it is destroyed. */
export interface VaultEntry {
  readonly id: string;
  readonly sealed: Uint8Array | null;
}

/**
 * Keys and secrets, each sealed by the master key before it gets here. Not rebuildable from the log: losing an entry is what erasure is.
 */
export abstract class Vault {
  /** Keeps the value; a second put under the same id leaves the first and answers it. Null: the id is destroyed, nothing is kept. */
  abstract put(id: string, sealed: Uint8Array): Promise<Uint8Array | null>;
  abstract get(id: string): Promise<Uint8Array | null>;
  /** Puts the same secret under other bytes, unless what is kept has changed or been destroyed meanwhile: false then. */
  abstract reseal(id: string, before: Uint8Array, after: Uint8Array): Promise<boolean>;
  /** For good: a later put under this id is refused by answering null to every get. */
  abstract destroy(id: string): Promise<void>;
  /** By id, those behind `after` (`''`: from the first on), destroyed ones too. */
  abstract entries(after: string, limit: number): Promise<VaultEntry[]>;
}
