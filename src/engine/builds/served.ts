import type { Clock } from '../../kernel/clock.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { Bell } from '../bell.js';
import type { Waiters } from '../following/waiters.js';

/** Maximum time for which readers wait during a switch before the switch is postponed. */
const GATE_MS = 250;

interface ServedTools {
  readonly store: EventStore;
  readonly waiters: Waiters;
  readonly clock: Clock;
}

/**
 * The build that this process reads. A switch happens when the new build has reached the head of the log while no read
 * of the old build is running, so that no read sees less than an earlier one.
 */
export class Served {
  private open: Promise<void> | null = null;
  private crossing = false;
  private readers = 0;
  private readonly left: Bell;

  constructor(
    public build: string | null,
    private readonly tools: ServedTools,
  ) {
    this.left = new Bell(tools.clock);
  }

  /** @throws StoreUnavailable while there is no build to read */
  async read<T>(name: string, work: (build: string) => Promise<T>): Promise<T> {
    while (this.open !== null) await this.open;
    if (this.build === null) throw new StoreUnavailable(`${name} is being built`, false);
    this.readers++;
    try {
      return await work(this.build);
    } finally {
      if (--this.readers === 0) this.left.ring();
    }
  }

  /** Tries to switch once; `build` shows the result. */
  async crossTo(build: string): Promise<void> {
    if (this.crossing) return;
    this.crossing = true;
    try {
      if (await this.reachesHead(build)) await this.crossClosed(build);
    } finally {
      this.crossing = false;
    }
  }

  private async crossClosed(build: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.open = promise;
    try {
      if ((await this.nobodyReads()) && (await this.reachesHead(build))) this.build = build;
    } finally {
      this.open = null;
      resolve();
    }
  }

  private async nobodyReads(): Promise<boolean> {
    const { clock } = this.tools;
    const end = clock.monotonic() + GATE_MS;
    for (let left = GATE_MS; left > 0 && this.readers > 0; left = end - clock.monotonic()) await this.left.wait(left);
    return this.readers === 0;
  }

  private async reachesHead(build: string): Promise<boolean> {
    const { store, waiters } = this.tools;
    return waiters.until(build, await store.head(), GATE_MS);
  }
}
