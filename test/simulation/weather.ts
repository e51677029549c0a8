import type { Luck } from './luck.js';
import type { World } from './world.js';

const RESTORES = 0.05;
const DEPLOYMENTS = 0.15;

/** Injects faults into processes, clocks, stores and the network. */
export class Weather {
  constructor(
    private readonly world: World,
    private readonly luck: Luck,
  ) {}

  /** Schedules a random number of faults within the first `ms`. */
  begin(ms: number): void {
    if (this.world.calm) return;
    this.world.network.becomeFaulty();
    this.world.isDisturbed = !this.world.network.isReliable;
    this.sometimes(ms, 3, () => this.crash());
    this.sometimes(ms, 1, () => this.stop());
    this.sometimes(ms, 3, () => this.standStill());
    this.sometimes(ms, 3, () => this.jump());
    this.sometimes(ms, 2, () => this.breakDown());
    this.sometimes(ms, 1, () => this.hurry());
    this.sometimes(ms, 1, () => this.runOutOfDescriptors());
    if (this.luck.chance(RESTORES)) this.restore(ms);
    if (this.luck.chance(DEPLOYMENTS)) this.world.timeline.after(this.luck.between(0, ms), () => this.deploy());
    if (this.world.leadership === null) return;
    this.sometimes(ms, 5, () => this.changeLeader());
    this.sometimes(ms, 2, () => this.loseMajority());
  }

  async end(): Promise<void> {
    await this.world.leadership?.end();
    this.world.network.becomeCalm();
    this.world.isMended = true;
    this.world.endOlder();
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

  /** Pauses a process for less or more than a lease. */
  private standStill(): void {
    const process = this.world.anyRunning(this.luck);
    const ms = this.luck.chance(0.5) ? this.luck.between(10, 1_000) : this.luck.between(1_000, 20_000);
    this.world.trace.tell(`${process?.name} pauses for ${ms.toFixed(0)} ms`);
    process?.standStill(ms);
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
    this.world.trace.tell(`${outage.port ?? 'every store'} is unavailable for ${outage.kind} during ${ms.toFixed(0)} ms`);
    this.world.isDisturbed = true;
    this.world.network.breakDown(ms, outage);
  }

  /** Replaces processes one after another; the last ones after the faults have ended. */
  private deploy(): void {
    this.world.isDisturbed = true;
    this.world.isDeployed = true;
    this.world.trace.tell('newer code is deployed');
    this.crash();
  }

  /** Copies the stores at one time and restores the copy at a later time. */
  private restore(ms: number): void {
    const { timeline, stores } = this.world;
    const at = this.luck.between(0, ms / 2);
    timeline.after(at, () => {
      const copy = stores.copied();
      timeline.after(this.luck.between(0, ms / 2), () => {
        this.world.isDisturbed = true;
        this.world.bringBack(copy);
      });
    });
  }

  private runOutOfDescriptors(): void {
    const { liveness } = this.world.stores;
    liveness.outOfDescriptors = true;
    this.world.trace.tell('no file descriptor is left');
    this.world.timeline.after(this.luck.between(100, 4_000), () => (liveness.outOfDescriptors = false));
  }

  private changeLeader(): void {
    this.world.isDisturbed = true;
    this.world.leadership!.change(this.world.names);
  }

  private loseMajority(): void {
    this.world.isDisturbed = true;
    this.world.leadership!.loseMajority(this.luck.between(50, 5_000));
  }

  /** Advances the clock of the stores, which decides when leases end. */
  private hurry(): void {
    const ms = this.luck.between(0, 15_000);
    this.world.isDisturbed = true;
    this.world.trace.tell(`the stores' clock jumps by ${ms.toFixed(0)} ms`);
    this.world.storesClock.jump(ms);
  }
}
