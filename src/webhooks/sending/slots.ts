import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';

/** Nobody is put off for longer: the receiver may have recovered. */
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_WAIT_MS = 10;
/** An endpoint that frees a slot so often, and has lately done so, is worth waiting for. */
const PROMPT_SLOT_MS = 5;
const PROMPT_PATIENCE_MS = 100;
/** Beyond that those that nobody uses are forgotten. */
const KEPT_GATES = 10_000;
/** A reason of its own, since a made one costs more than the wait. */
const ENOUGH = 'enough';
/** Weight of the latest send in what an endpoint usually takes. */
const LATEST_WEIGHT = 0.2;

/** One endpoint's sends in this process. */
interface Gate {
  inFlight: number;
  /** How long a send usually takes. */
  usualMs: number;
  /** When one last ended, or could have. */
  freedAt: number;
  /** When the rate's budget would be untouched again. */
  budgetFullAt: number;
  /** When the last of those who were put off may come back. */
  endOfLine: number;
  ratePerSecond: number;
  /** Who waits here for a slot: replays and tests. They come before whoever was put off. */
  readonly waiting: ((slot: Slot) => void)[];
}

export type Slot = { readonly release: () => void };

/** So many sends at once and a second for each endpoint, whoever asks: what one receiver does slows no other. */
@Injectable()
export class Slots {
  private readonly gates = new Map<string, Gate>();
  private readonly atOnce: number;
  private readonly ratePerSecond: number;

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    this.atOnce = webhooks.endpointConcurrency;
    this.ratePerSecond = webhooks.endpointRate;
  }

  /** What the endpoint's owner asked for, within what the service allows. */
  limitRate(endpointId: string, perSecond: number | null): void {
    this.gateOf(endpointId).ratePerSecond = Math.min(perSecond ?? this.ratePerSecond, this.ratePerSecond);
  }

  /** A slot, or how long to stay away. Retries may take half of the slots, so that they delay no first attempt. */
  enter(endpointId: string, kind: 'first' | 'retry'): Slot | { readonly waitMs: number } {
    const gate = this.gateOf(endpointId);
    const limit = kind === 'first' ? this.atOnce : Math.ceil(this.atOnce / 2);
    return gate.inFlight < limit && this.isWithinRate(gate) ? this.taken(gate) : { waitMs: this.placeInLine(gate) };
  }

  /** A slot for a first attempt; null when there is none, or others stand in line. */
  free(endpointId: string): Slot | null {
    const gate = this.gateOf(endpointId);
    return gate.inFlight < this.atOnce && this.mayPass(gate) ? this.taken(gate) : null;
  }

  /** The next slot of an endpoint that frees one after another; null when it has to be stood in line for. */
  async soon(endpointId: string): Promise<Slot | null> {
    const gate = this.gateOf(endpointId);
    return this.isPrompt(gate) && this.mayPass(gate) ? this.acquire(endpointId, PROMPT_PATIENCE_MS) : null;
  }

  /** A slot, or null when none is free in time. */
  async acquire(endpointId: string, patienceMs: number): Promise<Slot | null> {
    const gate = this.gateOf(endpointId);
    if (gate.inFlight < this.atOnce) return this.taken(gate);
    const { promise, resolve } = Promise.withResolvers<Slot | null>();
    const enough = new AbortController();
    gate.waiting.push(resolve);
    void this.clock.sleep(patienceMs, enough.signal).then(() => {
      const place = gate.waiting.indexOf(resolve);
      if (place >= 0) gate.waiting.splice(place, 1);
      resolve(null);
    });
    return promise.finally(() => enough.abort(ENOUGH));
  }

  private taken(gate: Gate): Slot {
    const began = this.clock.monotonic();
    gate.inFlight++;
    gate.budgetFullAt = Math.max(gate.budgetFullAt, began) + 1_000 / gate.ratePerSecond;
    return { release: () => this.released(gate, this.clock.monotonic() - began) };
  }

  private released(gate: Gate, tookMs: number): void {
    gate.inFlight--;
    gate.freedAt = this.clock.monotonic();
    gate.usualMs += (tookMs - gate.usualMs) * LATEST_WEIGHT;
    const next = gate.waiting.shift();
    if (next !== undefined) next(this.taken(gate));
  }

  private mayPass(gate: Gate): boolean {
    return this.clock.monotonic() >= gate.endOfLine && this.isWithinRate(gate);
  }

  private isPrompt({ usualMs, freedAt }: Gate): boolean {
    return usualMs / this.atOnce < PROMPT_SLOT_MS && this.clock.monotonic() - freedAt < PROMPT_PATIENCE_MS;
  }

  private isWithinRate({ budgetFullAt, ratePerSecond }: Gate): boolean {
    const burstMs = ((this.atOnce - 1) * 1_000) / ratePerSecond;
    return budgetFullAt - this.clock.monotonic() <= burstMs;
  }

  private placeInLine(gate: Gate): number {
    const now = this.clock.monotonic();
    const each = Math.max(1_000 / gate.ratePerSecond, gate.usualMs / this.atOnce);
    gate.endOfLine = Math.min(Math.max(gate.endOfLine, now + SHORTEST_WAIT_MS) + each, now + LONGEST_WAIT_MS);
    return Math.ceil(gate.endOfLine - now);
  }

  private gateOf(endpointId: string): Gate {
    const known = this.gates.get(endpointId);
    if (known !== undefined) return known;
    const { ratePerSecond } = this;
    const gate = { inFlight: 0, usualMs: 0, freedAt: this.clock.monotonic(), budgetFullAt: 0, endOfLine: 0, ratePerSecond, waiting: [] };
    if (this.gates.size >= KEPT_GATES) this.forgetIdle();
    this.gates.set(endpointId, gate);
    return gate;
  }

  private forgetIdle(): void {
    for (const [endpointId, { inFlight }] of this.gates) if (inFlight === 0) this.gates.delete(endpointId);
  }
}
