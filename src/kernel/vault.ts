/**
 * Keys and secrets, each sealed by the master key before it gets here. Not rebuildable from the log: losing an entry is what erasure is.
 */
export abstract class Vault {
  /** Keeps the value under an id of its own; a second put under the same id leaves the first and answers it. Null: the id is destroyed, nothing is kept. */
  abstract put(id: string, sealed: Uint8Array): Promise<Uint8Array | null>;
  abstract get(id: string): Promise<Uint8Array | null>;
  /** For good: a later put under this id is refused by answering null to every get. */
  abstract destroy(id: string): Promise<void>;
}
