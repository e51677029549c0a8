/** A stored value; null once it is destroyed. */
export interface VaultEntry {
  readonly id: string;
  readonly encrypted: Uint8Array | null;
}

/**
 * Stores keys and secrets, each encrypted with the master key by the caller. They cannot be rebuilt from the log:
 * deleting an entry erases the data that it protects.
 */
export abstract class Vault {
  /**
   * Stores the value unless the id has one, and returns the stored value. Null: the id is destroyed, and nothing is
   * stored.
   */
  abstract putIfAbsent(id: string, encrypted: Uint8Array): Promise<Uint8Array | null>;
  abstract get(id: string): Promise<Uint8Array | null>;
  /** Replaces the bytes of the same secret. False when the stored bytes differ from `before` or are destroyed. */
  abstract replace(id: string, before: Uint8Array, after: Uint8Array): Promise<boolean>;
  /** Destroys the value permanently: every later read of this id returns null, and a later write stores nothing. */
  abstract destroy(id: string): Promise<void>;
  /** Lists entries by id, destroyed ones included, from the first one or after `after` (`''`: from the first one). */
  abstract listEntries(after: string, limit: number): Promise<VaultEntry[]>;
}
