import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';
import { Rate } from './rate.js';

/** The longest delay. An automatic attempt that gets this delay moves to the backlog of its endpoint. */
export const LONGEST_WAIT_MS = 5_000;
const SHORTEST_WAIT_MS = 10;
/** The longest wait for a slot at an endpoint that has released a slot within the same time. */
const PROMPT_PATIENCE_MS = 100;
/** The number of endpoints above which unused ones are removed. */
const KEPT_GATES = 10_000;
/** A string reason avoids creating an Error per abort. */
const ENOUGH = 'not needed any more';
/** The weight of the latest send in the average duration of an endpoint's sends. */
const LATEST_WEIGHT = 0.2;

/**
 * The share of an endpoint's slots and of its rate that each priority may use. First attempts precede all others.
 * `suspect`: a retry to an endpoint that keeps failing, which would occupy slots and workers that others need.
 */
const SHARES = { first: 1, retry: 0.5, doubtful: 0.1, job: 0.5 } as const;

export type Lane = keyof typeof SHARES;

const LANES = Object.keys(SHARES) as readonly Lane[];

interface Line {
  readonly rate: Rate;
  /** When the last delayed attempt may try again. */
  endsAt: number;
}

/** The sends of one endpoint in this process. */
interface Gate {
  inFlight: number;
  /** The moving average of the duration of a send. */
  usualMs: number;
  /** When a slot was last released; the creation time before the first release. */
  freedAt: number;
  /** When the last free slot was taken. */
  fullAt: number;
  /** Every send counts against the rate of the queue `first`. */
  readonly lines: Readonly<Record<Lane, Line>>;
  /** The callers that wait for a slot. They precede the delayed attempts. */
  readonly waiting: ((slot: Slot) => void)[];
}

export type Slot = { readonly release: () => void };

/** Limits the concurrent sends and the rate of sends for each endpoint, so that a slow receiver delays no other. */
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

  /** Sets the rate that the endpoint's owner chose, up to the limit of the service. */
  limitRate(endpointId: string, perSecond: number | null): void {
    const { lines } = this.gateOf(endpointId);
    const ratePerSecond = Math.min(perSecond ?? this.ratePerSecond, this.ratePerSecond);
    for (const lane of LANES) lines[lane].rate.limit(ratePerSecond * SHARES[lane]);
  }

  /** Returns a slot, or the delay after which to try again. */
  enter(endpointId: string, lane: Lane): Slot | { readonly waitMs: number } {
    const gate = this.gateOf(endpointId);
    return this.mayEnter(gate, lane) ? this.taken(gate, lane) : { waitMs: this.placeInLine(gate, lane) };
  }

  /**
   * Waits for the next slot for an endpoint's backlog. New attempts queue after it, and so do retries while it sends
   * first attempts. Returns a delay instead when the slot would come later than `timeoutMs`.
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

  /** Returns a slot for a first attempt; null when no slot is free or other attempts are queued. */
  free(endpointId: string): Slot | null {
    const gate = this.gateOf(endpointId);
    return gate.inFlight < this.atOnce && this.mayPass(gate) ? this.taken(gate) : null;
  }

  /**
   * Waits briefly for the next slot of an endpoint that keeps releasing slots; returns null when the attempt must
   * queue.
   */
  async soon(endpointId: string): Promise<Slot | null> {
    const gate = this.gateOf(endpointId);
    return this.isPrompt(gate) && this.mayPass(gate) ? this.acquire(endpointId, PROMPT_PATIENCE_MS) : null;
  }

  /**
   * Returns a slot or a delay for a first attempt that was delayed before. It has queued already, so it may wait
   * briefly here.
   */
  async enterOrWait(endpointId: string): Promise<Slot | { readonly waitMs: number }> {
    const gate = this.gateOf(endpointId);
    const isSoon = !this.mayEnter(gate, 'first') && (this.earlyMs(gate) > 0 || this.isPrompt(gate));
    const slot = isSoon ? await this.acquire(endpointId, PROMPT_PATIENCE_MS) : null;
    return slot ?? this.enter(endpointId, 'first');
  }

  /** Waits for a slot; returns null when no slot is free in time or the rate does not allow a send in time. */
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

  /** Returns true when one more waiting caller would get a slot soon. */
  private isPrompt({ usualMs, freedAt, waiting }: Gate): boolean {
    const waitMs = ((waiting.length + 1) * usualMs) / this.atOnce;
    return waitMs < PROMPT_PATIENCE_MS && this.clock.monotonic() - freedAt < PROMPT_PATIENCE_MS;
  }

  private isWithinRate(gate: Gate, lane: Lane = 'first'): boolean {
    return this.earlyMs(gate, lane) === 0;
  }

  /** Returns the time until the rate allows the next send. */
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

  /** Estimates when a slot is free and the rate allows its use. */
  private freeAt(gate: Gate, lane: Lane, now: number): number {
    const likely = now + SHORTEST_WAIT_MS + this.slotMs(gate, lane, now);
    return Math.max(likely, gate.lines[lane].rate.opensAt, gate.lines.first.rate.opensAt);
  }

  /** Estimates the time until the next slot of this priority is free. */
  private slotMs(gate: Gate, lane: Lane, now: number): number {
    return this.likelyMs(gate, now) / (this.atOnce * SHARES[lane]);
  }

  /** Returns the average duration of a send; while all slots are taken, at least the time since then. */
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
