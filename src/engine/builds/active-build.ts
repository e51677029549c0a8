import type { Clock } from '../../kernel/clock.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { AsyncSignal } from '../async-signal.js';
import type { Waiters } from '../consumers/waiters.js';

/** Maximum time for which readers wait during a switch before the switch is postponed. */
const SWITCH_TIMEOUT_MS = 250;

interface ActiveBuildTools {
  readonly store: EventStore;
  readonly waiters: Waiters;
  readonly clock: Clock;
}

/**
 * The build that this process reads. A switch happens when the new build has reached the head of the log while no read
 * of the old build is running, so that no read sees less than an earlier one.
 */
export class ActiveBuild {
  private gate: Promise<void> | null = null;
  private isSwitching = false;
  private readers = 0;
  private readonly readersLeft: AsyncSignal;

  constructor(
    public build: string | null,
    private readonly tools: ActiveBuildTools,
  ) {
    this.readersLeft = new AsyncSignal(tools.clock);
  }

  /** @throws StoreUnavailable while there is no build to read */
  async read<T>(name: string, work: (build: string) => Promise<T>): Promise<T> {
    while (this.gate !== null) await this.gate;
    if (this.build === null) throw new StoreUnavailable(`${name} is being built`, false);
    this.readers++;
    try {
      return await work(this.build);
    } finally {
      if (--this.readers === 0) this.readersLeft.notify();
    }
  }

  /** Tries to switch once; `build` shows the result. */
  async switchTo(build: string): Promise<void> {
    if (this.isSwitching) return;
    this.isSwitching = true;
    try {
      if (await this.hasReachedHead(build)) await this.switchWithoutReaders(build);
    } finally {
      this.isSwitching = false;
    }
  }

  private async switchWithoutReaders(build: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gate = promise;
    try {
      if ((await this.waitForReaders()) && (await this.hasReachedHead(build))) this.build = build;
    } finally {
      this.gate = null;
      resolve();
    }
  }

  private async waitForReaders(): Promise<boolean> {
    const { clock } = this.tools;
    const end = clock.monotonic() + SWITCH_TIMEOUT_MS;
    for (let left = SWITCH_TIMEOUT_MS; left > 0 && this.readers > 0; left = end - clock.monotonic())
      await this.readersLeft.wait(left);
    return this.readers === 0;
  }

  private async hasReachedHead(build: string): Promise<boolean> {
    const { store, waiters } = this.tools;
    return waiters.waitUntil(build, await store.readHead(), SWITCH_TIMEOUT_MS);
  }
}
