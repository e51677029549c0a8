import type { Position } from './position.js';

/** The positions of the consumers of the log, by name. Reads and writes are as durable as those of `ReadModels`. */
export abstract class Checkpoints {
  /** Returns the checkpoint; `''` when it is missing. */
  abstract readCheckpoint(name: string): Promise<Position>;
  abstract listCheckpointNames(): Promise<string[]>;
  /** Moves checkpoints forward; a checkpoint that is already further stays unchanged. */
  abstract advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void>;
  /**
   * Moves these checkpoints back to the position; an earlier one stays unchanged. For operators, while no service
   * runs.
   */
  abstract rewindCheckpoints(names: readonly string[], to: Position): Promise<void>;
}
