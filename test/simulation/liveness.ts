import type { Life } from './life.js';

/** Tells a process that has ended from one that lives, as the embedded store asks its machine. */
export class Liveness {
  /** While no descriptor is left nothing can be told of any process. */
  outOfDescriptors = false;
  private readonly lives = new Map<string, Life>();

  began(life: Life): void {
    this.lives.set(life.name, life);
  }

  /** Whoever cannot be told about is not gone. */
  isGone(name: string): boolean {
    return !this.outOfDescriptors && this.hasEnded(name);
  }

  hasEnded(name: string): boolean {
    return this.lives.get(name)?.over ?? false;
  }
}
