import type { Clock, Random } from '../kernel/clock.js';
import { crashPoint } from '../kernel/crash-points.js';
import type { ReadModels } from '../kernel/read-models.js';

const TTL_MS = 10_000;
/** When a lease is renewed, as a part of its time. */
const RENEW = 0.3;
/** A holder gives up this long before the store lets anybody else in, as a part of the lease's time. */
const MARGIN = 0.2;
const ASK_AGAIN_MS = 1_000;

/** Lets one of several processes do what they all could. A lease only saves work: what is done under it is guarded by itself. */
export class Leases {
  /** @param ttlMs how long another process waits for the lease of one that is gone */
  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly holder: string,
    private readonly ttlMs = TTL_MS,
  ) {}

  /**
   * Runs `work` whenever the lease can be had, until the signal aborts. The signal given to `work` aborts when the lease is lost.
   * @param onForeign called whenever another process was found to hold the lease
   */
  async hold(
    name: string,
    signal: AbortSignal,
    work: (held: AbortSignal) => Promise<void>,
    onForeign: () => void = () => undefined,
  ): Promise<void> {
    while (!signal.aborted) {
      const asked = this.clock.monotonic();
      const answer = await this.ask(name);
      if (answer === 'foreign') onForeign();
      if (answer === 'ours') await this.during(name, asked, signal, work);
      else await this.clock.sleep(ASK_AGAIN_MS * (0.5 + this.random.next() / 2), signal);
    }
  }

  /** Runs `work` once, as soon as the lease can be had. */
  async holdOnce(name: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<void> {
    const done = new AbortController();
    await this.hold(name, AbortSignal.any([signal, done.signal]), async (held) => {
      await work(held);
      if (!held.aborted) done.abort();
    });
  }

  /** Runs `work` under the lease if it can be had now. False when somebody else has it. */
  async tryOnce(name: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<boolean> {
    const asked = this.clock.monotonic();
    if ((await this.readModels.lease(name, this.holder, this.ttlMs)) === null) return false;
    await this.during(name, asked, signal, work);
    return true;
  }

  private async during(name: string, asked: number, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<void> {
    const held = new AbortController();
    const giveUp = () => held.abort();
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    const keeping = this.keep(name, asked, held);
    try {
      await work(held.signal);
    } finally {
      signal.removeEventListener('abort', giveUp);
      giveUp();
      await keeping;
      await this.readModels.release(name, this.holder).catch(() => undefined);
    }
  }

  /** Renews until the lease is lost, refused, or not wanted any more; nobody is told late because a store does not answer. */
  private async keep(name: string, asked: number, held: AbortController): Promise<void> {
    const trusted = this.ttlMs * (1 - MARGIN);
    let end = asked + trusted;
    const renew = async () => {
      const renewing = this.clock.monotonic();
      const answer = await this.ask(name);
      crashPoint('during-lease-renewal');
      if (answer === 'ours') end = renewing + trusted;
      if (answer === 'foreign') held.abort();
    };
    const renewals = new Set<Promise<void>>();
    while (!held.signal.aborted) {
      const left = end - this.clock.monotonic();
      if (left <= 0) held.abort();
      await this.clock.sleep(Math.min(this.ttlMs * RENEW, left), held.signal);
      if (held.signal.aborted) break;
      const renewal = renew().finally(() => renewals.delete(renewal));
      renewals.add(renewal);
    }
    // One that came to the store behind the release would take the lease anew.
    await Promise.all(renewals);
  }

  private async ask(name: string): Promise<'ours' | 'foreign' | 'unknown'> {
    try {
      return (await this.readModels.lease(name, this.holder, this.ttlMs)) === null ? 'foreign' : 'ours';
    } catch {
      return 'unknown';
    }
  }
}
