import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';
import { Rate } from './rate.js';

/** Nobody is put off for longer. An automatic attempt that would be belongs in the backlog of its endpoint. */
export const LONGEST_WAIT_MS = 5_000;
const SHORTEST_WAIT_MS = 10;
/** A slot that should be free by then is worth waiting for, at an endpoint that has lately freed one. */
const PROMPT_PATIENCE_MS = 100;
/** Beyond that those that nobody uses are forgotten. */
const KEPT_GATES = 10_000;
/** A reason of its own, since a made one costs more than the wait. */
const ENOUGH = 'enough';
/** Weight of the latest send in what an endpoint usually takes. */
const LATEST_WEIGHT = 0.2;

/**
 * What part of an endpoint's slots and of its rate each kind of send may take. What is not first stands back for what is. `doubtful`: a
 * retry to an endpoint that keeps failing, which would hang on to slots and workers that others need.
 */
const SHARES = { first: 1, retry: 0.5, doubtful: 0.1, job: 0.5 } as const;

export type Lane = keyof typeof SHARES;

const LANES = Object.keys(SHARES) as readonly Lane[];

interface Line {
  readonly rate: Rate;
  /** When the last of those who were put off may come back. */
  endsAt: number;
}

/** One endpoint's sends in this process. */
interface Gate {
  inFlight: number;
  /** How long a send usually takes. */
  usualMs: number;
  /** When one last ended, or could have. */
  freedAt: number;
  /** When the last of its slots was taken. */
  fullAt: number;
  /** Every send counts against the rate of the first of them. */
  readonly lines: Readonly<Record<Lane, Line>>;
  /** Who waits here for a slot: they come before whoever was put off. */
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
    const { lines } = this.gateOf(endpointId);
    const ratePerSecond = Math.min(perSecond ?? this.ratePerSecond, this.ratePerSecond);
    for (const lane of LANES) lines[lane].rate.limit(ratePerSecond * SHARES[lane]);
  }

  /** A slot, or how long to stay away. */
  enter(endpointId: string, lane: Lane): Slot | { readonly waitMs: number } {
    const gate = this.gateOf(endpointId);
    return this.mayEnter(gate, lane) ? this.taken(gate, lane) : { waitMs: this.placeInLine(gate, lane) };
  }

  /**
   * The next slot for an endpoint's backlog: newcomers and, while it sends first attempts, retries stand behind it. Or how long to stay
   * away, when that is longer than `patienceMs`.
   */
  async next(endpointId: string, lane: Lane, patienceMs: number): Promise<Slot | { readonly waitMs: number }> {
    const gate = this.gateOf(endpointId);
    const until = this.clock.monotonic() + patienceMs;
    while (!this.mayEnter(gate, lane)) {
      const now = this.clock.monotonic();
      const freeAt = lane === 'first' ? this.freeAt(gate, lane, now) : Math.max(this.freeAt(gate, lane, now), gate.lines.first.endsAt);
      const waitMs = Math.ceil(freeAt - now);
      if (freeAt > until) return { waitMs };
      gate.lines[lane].endsAt = Math.max(gate.lines[lane].endsAt, freeAt);
      await this.clock.sleep(waitMs);
    }
    return this.taken(gate, lane);
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

  /** For a first attempt that has been put off: the line is behind it, and what it comes too early by it waits here. */
  async enterOrWait(endpointId: string): Promise<Slot | { readonly waitMs: number }> {
    const gate = this.gateOf(endpointId);
    const isSoon = !this.mayEnter(gate, 'first') && (this.earlyMs(gate) > 0 || this.isPrompt(gate));
    const slot = isSoon ? await this.acquire(endpointId, PROMPT_PATIENCE_MS) : null;
    return slot ?? this.enter(endpointId, 'first');
  }

  /** A slot, or null when none is free in time, or the rate does not allow one so soon. */
  async acquire(endpointId: string, patienceMs: number): Promise<Slot | null> {
    const gate = this.gateOf(endpointId);
    const earlyMs = this.earlyMs(gate);
    if (earlyMs > patienceMs) return null;
    gate.lines.first.rate.add(this.clock.monotonic() + earlyMs);
    if (earlyMs > 0) await this.clock.sleep(earlyMs);
    return gate.inFlight < this.atOnce ? this.occupied(gate) : this.released(gate, patienceMs - earlyMs);
  }

  private async released(gate: Gate, patienceMs: number): Promise<Slot | null> {
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

  private mayEnter(gate: Gate, lane: Lane): boolean {
    if (gate.inFlight >= Math.ceil(this.atOnce * SHARES[lane]) || !this.isWithinRate(gate)) return false;
    return lane === 'first' || (this.isWithinRate(gate, lane) && this.clock.monotonic() >= gate.lines.first.endsAt);
  }

  private taken(gate: Gate, lane: Lane = 'first'): Slot {
    const now = this.clock.monotonic();
    gate.lines.first.rate.add(now);
    if (lane !== 'first') gate.lines[lane].rate.add(now);
    return this.occupied(gate);
  }

  private occupied(gate: Gate): Slot {
    const began = this.clock.monotonic();
    gate.inFlight++;
    if (gate.inFlight >= this.atOnce) gate.fullAt = began;
    return { release: () => this.release(gate, this.clock.monotonic() - began) };
  }

  private release(gate: Gate, tookMs: number): void {
    gate.inFlight--;
    gate.freedAt = this.clock.monotonic();
    gate.usualMs += (tookMs - gate.usualMs) * LATEST_WEIGHT;
    const next = gate.waiting.shift();
    if (next !== undefined) next(this.occupied(gate));
  }

  private mayPass(gate: Gate): boolean {
    return this.clock.monotonic() >= gate.lines.first.endsAt && this.isWithinRate(gate);
  }

  /** For one more behind those who wait. */
  private isPrompt({ usualMs, freedAt, waiting }: Gate): boolean {
    const waitMs = ((waiting.length + 1) * usualMs) / this.atOnce;
    return waitMs < PROMPT_PATIENCE_MS && this.clock.monotonic() - freedAt < PROMPT_PATIENCE_MS;
  }

  private isWithinRate(gate: Gate, lane: Lane = 'first'): boolean {
    return this.earlyMs(gate, lane) === 0;
  }

  /** How long it is until the rate allows one more. */
  private earlyMs(gate: Gate, lane: Lane = 'first'): number {
    return Math.max(0, gate.lines[lane].rate.opensAt - this.clock.monotonic());
  }

  private placeInLine(gate: Gate, lane: Lane): number {
    const now = this.clock.monotonic();
    const line = gate.lines[lane];
    const eachMs = Math.max(this.slotMs(gate, lane, now), line.rate.eachMs);
    line.endsAt = Math.min(Math.max(this.freeAt(gate, lane, now), line.endsAt + eachMs), now + LONGEST_WAIT_MS);
    return Math.ceil(line.endsAt - now);
  }

  /** When a slot is likely to be free, and the rate allows to use it. */
  private freeAt(gate: Gate, lane: Lane, now: number): number {
    const likely = now + SHORTEST_WAIT_MS + this.slotMs(gate, lane, now);
    return Math.max(likely, gate.lines[lane].rate.opensAt, gate.lines.first.rate.opensAt);
  }

  /** How long it usually takes until one more of the lane's slots is free. */
  private slotMs(gate: Gate, lane: Lane, now: number): number {
    return this.likelyMs(gate, now) / (this.atOnce * SHARES[lane]);
  }

  /** As long as sends usually take; or as the latest have taken so far, while an endpoint hangs of which nothing is known yet. */
  private likelyMs({ usualMs, inFlight, fullAt }: Gate, now: number): number {
    return inFlight < this.atOnce ? usualMs : Math.max(usualMs, now - fullAt);
  }

  private gateOf(endpointId: string): Gate {
    const known = this.gates.get(endpointId);
    if (known !== undefined) return known;
    const line = (lane: Lane) => ({ rate: new Rate(this.ratePerSecond * SHARES[lane]), endsAt: 0 });
    const lines = { first: line('first'), retry: line('retry'), doubtful: line('doubtful'), job: line('job') };
    const gate = { inFlight: 0, usualMs: 0, freedAt: this.clock.monotonic(), fullAt: 0, lines, waiting: [] };
    if (this.gates.size >= KEPT_GATES) this.forgetIdle();
    this.gates.set(endpointId, gate);
    return gate;
  }

  private forgetIdle(): void {
    for (const [endpointId, { inFlight }] of this.gates) if (inFlight === 0) this.gates.delete(endpointId);
  }
}
