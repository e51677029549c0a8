import type { Position } from '../kernel/position.js';
import type { Failure } from './retrier.js';

export interface EngineStatus {
  readonly running: boolean;
  /** Position after the last page that the follower dispatched. */
  readonly position: Position;
  readonly runners: readonly {
    readonly name: string;
    readonly position: Position;
    readonly live: boolean;
    /** Number of events that the runner has passed in this process. */
    readonly passed: number;
    readonly failing: Failure | null;
  }[];
  readonly workers: readonly { readonly queue: string; readonly busy: number; readonly failing: Failure | null }[];
  /** Projections that cannot be read yet: the build in progress, and the error if the build failed. */
  readonly building: readonly {
    readonly name: string;
    /** Position of the build; null unless this process fills the build. */
    readonly position: Position | null;
    readonly error: string | null;
  }[];
  /** Active builds that have not caught up with the log since this process started. */
  readonly lagging: readonly string[];
  /** Failures of the log follower, the checkpoint writer and the build supervisor. */
  readonly failing: readonly Failure[];
}
