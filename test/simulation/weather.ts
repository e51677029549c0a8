import type { Luck } from './luck.js';
import type { World } from './world.js';

/** What befalls the processes and what lies between them. */
export class Weather {
  constructor(
    private readonly world: World,
    private readonly luck: Luck,
  ) {}

  /** So much of it within the first `ms` as the lot has it. */
  begin(ms: number): void {
    if (this.world.calm) return;
    this.world.network.becomeFaulty();
    this.sometimes(ms, 3, () => this.crash());
    this.sometimes(ms, 1, () => this.stop());
    this.sometimes(ms, 3, () => this.standStill());
    this.sometimes(ms, 3, () => this.jump());
    this.sometimes(ms, 2, () => this.breakDown());
    this.sometimes(ms, 1, () => this.hurry());
  }

  end(): void {
    this.world.network.becomeCalm();
    this.world.receivers.becomeCalm();
    this.world.replaceTheDead();
  }

  private sometimes(ms: number, most: number, happen: () => void): void {
    for (let times = this.luck.whole(0, most); times > 0; times--) this.world.timeline.after(this.luck.between(0, ms), happen);
  }

  private crash(): void {
    const process = this.world.anyRunning(this.luck);
    if (process === null) return;
    this.world.end(process);
    this.world.timeline.after(this.luck.between(0, 3_000), () => this.world.replaceTheDead());
  }

  private stop(): void {
    const process = this.world.anyRunning(this.luck);
    if (process !== null) void this.world.stop(process);
  }

  /** Shorter than a lease, or longer. */
  private standStill(): void {
    const process = this.world.anyRunning(this.luck);
    const ms = this.luck.chance(0.5) ? this.luck.between(10, 1_000) : this.luck.between(1_000, 20_000);
    this.world.trace.tell(`${process?.name} stands still for ${ms.toFixed(0)} ms`);
    process?.life.standStill(ms);
  }

  private jump(): void {
    const process = this.world.anyRunning(this.luck);
    const ms = this.luck.between(-8_000, 8_000);
    this.world.trace.tell(`${process?.name}'s clock jumps by ${ms.toFixed(0)} ms`);
    process?.clock.jump(ms);
  }

  private breakDown(): void {
    const outage = {
      port: this.luck.oneOf([null, 'events', 'read models', 'read models', 'jobs'] as const),
      kind: this.luck.oneOf(['all', 'writes'] as const),
    };
    const ms = this.luck.between(50, 6_000);
    this.world.trace.tell(`${outage.port ?? 'every store'} is away to ${outage.kind} for ${ms.toFixed(0)} ms`);
    this.world.network.breakDown(ms, outage);
  }

  /** The stores' own clock, by which leases end. */
  private hurry(): void {
    const ms = this.luck.between(0, 15_000);
    this.world.trace.tell(`the stores' clock jumps by ${ms.toFixed(0)} ms`);
    this.world.storesClock.jump(ms);
  }
}
