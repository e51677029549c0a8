import type { EventStore } from '../kernel/event-store.js';
import type { Idempotency } from '../kernel/idempotency.js';
import type { Jobs } from '../kernel/jobs.js';
import type { ReadModels } from '../kernel/read-models.js';
import type { Vault } from '../kernel/vault.js';

/** How what is stored is laid out. It only grows. */
export interface Format {
  /** The newest that this code can read and write. */
  readonly known: number;
  /** That of the store now. @throws StoreUnavailable */
  read(): Promise<number>;
}

/** The five ports, and what else a process has to know of the stores behind them. */
export interface Ports {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly jobs: Jobs;
  readonly idempotency: Idempotency;
  readonly vault: Vault;
  readonly format: Format;
  /** They are there, with all that they need to begin with. @throws StoreUnavailable, within seconds; NewerStore */
  reach(): Promise<void>;
  /** What an acknowledged write has behind it, asked of the stores as far as they tell. @throws when it is less than was promised */
  durability(): Promise<string>;
  /** What was asked for before is written first, or fails. */
  close(): Promise<void>;
}
