import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ProcessNumbers } from '../../engine/process-numbers.js';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { Checkpoints } from '../../kernel/checkpoints.js';
import { Clock, Random } from '../../kernel/clock.js';
import { Leases } from '../../kernel/leases.js';
import { ProcessId } from '../../kernel/process-id.js';
import { HostLimiter } from './host-limiter.js';

const REFRESH_AFTER_MS = 2_000;
/** How long a process may rely on its last look at the others. */
const VALID_MS = 4_500;
/** After this time, no process relies on a look from before a new one, and a second of each rate has passed. */
const SETTLE_MS = 6_000;
const WORK = { kind: 'lease', name: 'senders' } as const;

/**
 * Counts the processes that send automatic attempts. Each leases a number from its first such attempt until its
 * shutdown, and looks which other numbers are leased, while it sends. The limits of hosts are divided among them.
 */
@Injectable()
export class Senders implements OnApplicationShutdown {
  private readonly numbers: ProcessNumbers;
  private readonly closing = new AbortController();
  private running: Promise<void> | null = null;
  private readonly registered = Promise.withResolvers<void>();
  private refreshing: Promise<void> | null = null;
  private isRegistered = false;
  private others = 0;
  private lookedAt = -Infinity;
  private settledAt = Infinity;

  constructor(
    private readonly hostLimiter: HostLimiter,
    checkpoints: Checkpoints,
    leases: Leases,
    private readonly clock: Clock,
    random: Random,
    processId: ProcessId,
  ) {
    this.numbers = new ProcessNumbers('sender', { checkpoints, leases, clock, random, processId }, WORK);
  }

  /** Returns true when no other process sends to any endpoint. */
  isAlone(): boolean {
    const age = this.clock.monotonic() - this.lookedAt;
    if (age >= REFRESH_AFTER_MS && this.isRegistered) void this.refresh().catch(reportAndIgnore(WORK));
    return this.others === 0 && age < VALID_MS;
  }

  /** Returns false for a process that the others may not know of yet: it sends nothing. */
  get isSettled(): boolean {
    return this.clock.monotonic() >= this.settledAt;
  }

  /** Resolves when this process has a number and knows the others. */
  async meet(): Promise<void> {
    this.running ??= this.numbers.hold(this.closing.signal, (ended) => this.watch(ended)).catch(reportAndIgnore(WORK));
    await this.registered.promise;
    if (this.isRegistered && this.clock.monotonic() - this.lookedAt >= VALID_MS) await this.refresh();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort('closing');
    this.registered.resolve();
    await this.running;
  }

  private async watch(ended: Promise<unknown>): Promise<void> {
    try {
      this.isRegistered = true;
      await this.look();
      this.settledAt = this.clock.monotonic() + (this.others > 0 ? SETTLE_MS : 0);
      this.registered.resolve();
      await ended;
    } finally {
      this.isRegistered = false;
      this.settledAt = Infinity;
      this.lookedAt = -Infinity;
    }
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.look().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async look(): Promise<void> {
    const at = this.clock.monotonic();
    const { length: others } = await this.numbers.listOthers();
    if (others !== this.others) this.hostLimiter.shareAmong(others + 1);
    this.others = others;
    this.lookedAt = at;
  }
}
