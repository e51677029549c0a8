import type { ProcessLifecycle } from './process-lifecycle.js';

/** Knows which processes have ended, as the operating system does for the embedded store. */
export class Liveness {
  /** While no file descriptor is left, no process can be checked. */
  outOfDescriptors = false;
  private readonly processes = new Map<string, ProcessLifecycle>();

  register(life: ProcessLifecycle): void {
    this.processes.set(life.name, life);
  }

  /** Whether a process is known to have ended; a process that cannot be checked counts as alive. */
  isKnownDead(name: string): boolean {
    return !this.outOfDescriptors && this.hasEnded(name);
  }

  hasEnded(name: string): boolean {
    return this.processes.get(name)?.hasEnded ?? false;
  }
}
