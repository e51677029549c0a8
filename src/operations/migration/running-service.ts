import { ProcessRegistry } from '../../engine/process-registry.js';
import type { Checkpoints } from '../../kernel/checkpoints.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import type { Leases } from '../../kernel/leases.js';
import { ProcessId } from '../../kernel/process-id.js';
import { currentProcessId } from '../../stores/process-id.js';

interface Ports {
  readonly checkpoints: Checkpoints;
  readonly leases: Leases;
}

/** Returns the name of the lease that a process of a running service holds on the store, or null when none runs. */
export function findRunningService({ checkpoints, leases }: Ports): Promise<string | null> {
  const id = new ProcessId(currentProcessId());
  return new ProcessRegistry(checkpoints, leases, new SystemClock(), new SystemRandom(), id).findActive();
}
