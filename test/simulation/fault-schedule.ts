import type { SimulationRandom } from './seeded-random.js';
import type { World } from './world.js';

/** The first events of work that has several steps. */
const FIRST_STEPS = [
  'CartCheckedOut',
  'PaymentStarted',
  'RefundRequested',
  'RenewalStarted',
  'SubscriptionCancelled',
  'PointsReserved',
  'PointsReversalRequested',
  'MemberImportRequested',
];
/** The longest time between such an event and a crash: most of the work takes longer. */
const STEP_MS = 150;
const RESTORE_PROBABILITY = 0.05;
const DEPLOYMENT_PROBABILITY = 0.15;

/** Injects faults into processes, clocks, stores and the network. */
export class FaultSchedule {
  constructor(
    private readonly world: World,
    private readonly random: SimulationRandom,
  ) {}

  /** Schedules a random number of faults within the first `ms`. */
  start(ms: number): void {
    if (this.world.isFaultless) return;
    this.world.network.becomeFaulty();
    if (this.world.bank !== null) this.world.bank.losesResponses = true;
    this.world.isDisturbed = !this.world.network.isReliable;
    this.scheduleUpTo(ms, 3, () => this.crash());
    this.scheduleUpTo(ms, 1, () => this.stop());
    this.scheduleUpTo(ms, 3, () => this.pauseProcess());
    this.scheduleUpTo(ms, 3, () => this.jumpClock());
    this.scheduleUpTo(ms, 2, () => this.breakNetwork());
    this.scheduleUpTo(ms, 1, () => this.jumpStoresClock());
    this.scheduleUpTo(ms, 1, () => this.runOutOfDescriptors());
    if (this.random.chance(RESTORE_PROBABILITY)) this.restore(ms);
    if (this.random.chance(DEPLOYMENT_PROBABILITY))
      this.world.timeline.after(this.random.between(0, ms), () => this.deploy());
    if (this.world.bank !== null) this.scheduleUpTo(ms, 2, () => this.crashBetweenSteps());
    if (this.world.leadership === null) return;
    this.scheduleUpTo(ms, 5, () => this.changeLeader());
    this.scheduleUpTo(ms, 2, () => this.loseMajority());
  }

  async end(): Promise<void> {
    this.world.stores.events.clearNext();
    await this.world.leadership?.end();
    this.world.network.endFaults();
    if (this.world.bank !== null) this.world.bank.losesResponses = false;
    this.world.isFixed = true;
    this.world.endOlder();
    this.world.receivers.acceptAll();
    this.world.replaceEnded();
  }

  private scheduleUpTo(ms: number, most: number, happen: () => void): void {
    for (let times = this.random.integer(0, most); times > 0; times--)
      this.world.timeline.after(this.random.between(0, ms), happen);
  }

  private crash(): void {
    const process = this.world.anyRunning(this.random);
    if (process === null) return;
    this.world.end(process);
    this.world.timeline.after(this.random.between(0, 3_000), () => this.world.replaceEnded());
  }

  /** Ends every process soon after the next first step, so that none of them finishes the work. */
  private crashBetweenSteps(): void {
    const type = this.random.pick(FIRST_STEPS);
    this.world.stores.events.onNext(type, () =>
      this.world.timeline.after(this.random.between(0, STEP_MS), () => {
        this.world.trace.log(`every process crashes after ${type}`);
        this.world.endAll();
        this.world.timeline.after(this.random.between(0, 3_000), () => this.world.replaceEnded());
      }),
    );
  }

  private stop(): void {
    const process = this.world.anyRunning(this.random);
    if (process !== null) void this.world.stop(process);
  }

  /** Pauses a process for less or more than a lease. */
  private pauseProcess(): void {
    const process = this.world.anyRunning(this.random);
    const ms = this.random.chance(0.5) ? this.random.between(10, 1_000) : this.random.between(1_000, 20_000);
    this.world.trace.log(`${process?.name} pauses for ${ms.toFixed(0)} ms`);
    process?.pause(ms);
  }

  private jumpClock(): void {
    const process = this.world.anyRunning(this.random);
    const ms = this.random.between(-8_000, 8_000);
    this.world.trace.log(`${process?.name}'s clock jumps by ${ms.toFixed(0)} ms`);
    process?.clock.shift(ms);
  }

  private breakNetwork(): void {
    const outage = {
      port: this.random.pick([null, 'events', 'read models', 'read models', 'jobs'] as const),
      kind: this.random.pick(['all', 'writes'] as const),
    };
    const ms = this.random.between(50, 6_000);
    this.world.trace.log(
      `${outage.port ?? 'every store'} is unavailable for ${outage.kind} during ${ms.toFixed(0)} ms`,
    );
    this.world.isDisturbed = true;
    this.world.network.addOutage(ms, outage);
  }

  /** Replaces processes one after another; the last ones after the faults have ended. */
  private deploy(): void {
    this.world.isDisturbed = true;
    this.world.isDeployed = true;
    this.world.trace.log('newer code is deployed');
    this.crash();
  }

  /** Copies the stores at one time and restores the copy at a later time. */
  private restore(ms: number): void {
    const { timeline, stores } = this.world;
    const at = this.random.between(0, ms / 2);
    timeline.after(at, () => {
      const copy = stores.copy();
      timeline.after(this.random.between(0, ms / 2), () => {
        this.world.isDisturbed = true;
        this.world.restoreCopy(copy);
      });
    });
  }

  private runOutOfDescriptors(): void {
    const { liveness } = this.world.stores;
    liveness.outOfDescriptors = true;
    this.world.trace.log('no file descriptor is left');
    this.world.timeline.after(this.random.between(100, 4_000), () => (liveness.outOfDescriptors = false));
  }

  private changeLeader(): void {
    this.world.isDisturbed = true;
    this.world.leadership!.changeLeader(this.world.names);
  }

  private loseMajority(): void {
    this.world.isDisturbed = true;
    this.world.leadership!.loseMajority(this.random.between(50, 5_000));
  }

  /** Advances the clock of the stores, which decides when leases end. */
  private jumpStoresClock(): void {
    const ms = this.random.between(0, 15_000);
    this.world.isDisturbed = true;
    this.world.trace.log(`the stores' clock jumps by ${ms.toFixed(0)} ms`);
    this.world.storesClock.shift(ms);
  }
}
