import type { Life } from './life.js';

/** Knows which processes have ended, as the operating system does for the embedded store. */
export class Liveness {
  /** While no file descriptor is left, no process can be checked. */
  outOfDescriptors = false;
  private readonly lives = new Map<string, Life>();

  began(life: Life): void {
    this.lives.set(life.name, life);
  }

  /** Whether a process is known to have ended; a process that cannot be checked counts as alive. */
  isGone(name: string): boolean {
    return !this.outOfDescriptors && this.hasEnded(name);
  }

  hasEnded(name: string): boolean {
    return this.lives.get(name)?.over ?? false;
  }
}
