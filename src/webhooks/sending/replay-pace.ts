import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';
import { Slots, type Slot } from './slots.js';

/** Of all replay jobs together in this process: live deliveries have the rest. */
const STEPS_PER_SECOND = 250;
const LONGEST_LOOK_MS = 50;
/** As far may a pace lag behind and catch up: no timer is exact. */
const CATCH_UP_MS = 20;

/** At what pace replay jobs go on: slowly enough that live deliveries do not feel it. */
@Injectable()
export class ReplayPace {
  private readonly replayRate: number;
  private readonly endpointRate: number;
  private nextStepAt = 0;

  constructor(
    private readonly slots: Slots,
    private readonly clock: Clock,
    { webhooks }: Config,
  ) {
    this.replayRate = webhooks.replayRate;
    this.endpointRate = webhooks.endpointRate;
  }

  /** Resolves when it is this caller's turn. */
  async step(): Promise<void> {
    const now = this.clock.monotonic();
    const at = Math.max(this.nextStepAt, now - CATCH_UP_MS);
    this.nextStepAt = at + 1_000 / STEPS_PER_SECOND;
    if (at > now) await this.clock.sleep(at - now);
  }

  /** To one endpoint, for as long as one run of its lane lasts. `ownRate`: what its owner allows a second. */
  ofEndpoint(endpointId: string, ownRate: number | null): EndpointPace {
    const perSecond = Math.min(this.replayRate, ownRate ?? this.endpointRate, this.endpointRate);
    return new EndpointPace(this, this.slots, this.clock, endpointId, 1_000 / perSecond);
  }
}

/** One lane's sends, each so long after the one before. */
export class EndpointPace {
  private nextAt = 0;

  constructor(
    private readonly pace: ReplayPace,
    private readonly slots: Slots,
    private readonly clock: Clock,
    private readonly endpointId: string,
    readonly eachMs: number,
  ) {}

  /** The next slot that live deliveries can spare; null when there is none until then. Who waits for one has its turn once: others go on. */
  async slot(until: number): Promise<Slot | null> {
    if (!(await this.isDueBefore(until))) return null;
    await this.pace.step();
    do {
      const slot = this.slots.enter(this.endpointId, 'job');
      if ('release' in slot) return this.taken(slot);
      await this.clock.sleep(Math.min(slot.waitMs, LONGEST_LOOK_MS, Math.max(0, until - this.clock.monotonic())));
    } while (this.clock.monotonic() < until);
    return null;
  }

  /** Answers when the next send is due, or at once when that is too late. */
  private async isDueBefore(until: number): Promise<boolean> {
    if (this.nextAt >= until) return false;
    const waitMs = this.nextAt - this.clock.monotonic();
    if (waitMs > 0) await this.clock.sleep(waitMs);
    return this.clock.monotonic() < until;
  }

  private taken(slot: Slot): Slot {
    const now = this.clock.monotonic();
    this.nextAt = Math.max(this.nextAt, now - CATCH_UP_MS) + this.eachMs;
    return slot;
  }
}
