import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';
import { Rate } from './rate.js';
import type { Slot } from './slots.js';

/** The longest wait for a host, since a waiting attempt occupies a slot of its endpoint. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 20;
const KEPT_HOSTS = 10_000;

interface Gate {
  inFlight: number;
  readonly rate: Rate;
}

/**
 * Limits the sends of all businesses together to one host, by its name and by each of its addresses, so that no
 * business can flood a host through this service.
 */
@Injectable()
export class TargetHosts {
  private readonly gates = new Map<string, Gate>();
  private readonly atOnce: number;
  private readonly perSecond: number;

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    this.atOnce = webhooks.hostConcurrency;
    this.perSecond = webhooks.hostRate;
  }

  /** Waits for a slot; returns null when the host has no free slot in time. */
  async enter(host: string, addresses: readonly string[], deadline: AbortSignal): Promise<Slot | null> {
    const names = [...new Set([host, ...addresses])];
    for (const end = this.clock.monotonic() + PATIENCE_MS; ;) {
      const now = this.clock.monotonic();
      const gates = names.map((name) => this.gateOf(name));
      if (gates.every((gate) => this.isOpen(gate, now))) return this.taken(gates, now);
      if (now >= end || deadline.aborted) return null;
      await this.clock.sleep(LOOK_AGAIN_MS, deadline);
    }
  }

  private isOpen({ inFlight, rate }: Gate, now: number): boolean {
    return (this.atOnce === 0 || inFlight < this.atOnce) && (this.perSecond === 0 || rate.opensAt <= now);
  }

  private taken(gates: readonly Gate[], now: number): Slot {
    for (const gate of gates) {
      gate.inFlight++;
      if (this.perSecond > 0) gate.rate.add(now);
    }
    return { release: () => gates.forEach((gate) => gate.inFlight--) };
  }

  private gateOf(name: string): Gate {
    const known = this.gates.get(name);
    if (known !== undefined) return known;
    if (this.gates.size >= KEPT_HOSTS) this.forgetIdle();
    const gate = { inFlight: 0, rate: new Rate(Math.max(1, this.perSecond)) };
    this.gates.set(name, gate);
    return gate;
  }

  private forgetIdle(): void {
    for (const [name, { inFlight }] of this.gates) if (inFlight === 0) this.gates.delete(name);
  }
}
