import type { BuildCatalogue } from '../kernel/build-catalogue.js';
import type { Checkpoints } from '../kernel/checkpoints.js';
import type { EventStore } from '../kernel/event-store.js';
import type { Idempotency } from '../kernel/idempotency.js';
import type { Jobs } from '../kernel/jobs.js';
import type { Leases } from '../kernel/leases.js';
import type { ReadModels } from '../kernel/read-models.js';
import type { Vault } from '../kernel/vault.js';

/** The version of the storage format. It never decreases. */
export interface StorageFormat {
  /** The newest format that this code can read and write. */
  readonly supported: number;
  /** Reads the current format of the store. @throws StoreUnavailable */
  read(): Promise<number>;
}

/** The ports of the stores, and the state of the stores that a process needs. */
export interface Ports {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly checkpoints: Checkpoints;
  readonly leases: Leases;
  readonly catalogue: BuildCatalogue;
  readonly jobs: Jobs;
  readonly idempotency: Idempotency;
  readonly vault: Vault;
  readonly format: StorageFormat;
  /**
   * Ensures that the stores are reachable and have their indexes. @throws StoreUnavailable within seconds; NewerStore
   */
  ensureReady(): Promise<void>;
  /**
   * Describes the durability of an acknowledged write, checked as far as the stores report it. @throws when it is
   * weaker than promised
   */
  checkDurability(): Promise<string>;
  /** Closes the stores; earlier writes complete first, or fail. */
  close(): Promise<void>;
}
