import type { Luck } from './luck.js';
import type { Timeline } from './timeline.js';

/** How often what goes wrong, as probabilities of one call. */
interface Faults {
  /** It takes much longer than usual. */
  readonly slow: number;
  /** It never arrives, and the caller knows. */
  readonly unreachable: number;
  /** It never arrives, and the caller does not know. */
  readonly vanished: number;
  /** It is done, and the caller does not know. */
  readonly unanswered: number;
  /** It is done long after the caller has given up. */
  readonly late: number;
  /** It is done twice, the second time long after the first. */
  readonly doubled: number;
  /** A page has fewer events than there are. */
  readonly cut: number;
  /** A follower of the log loses its connection. */
  readonly severed: number;
}

export type Port = 'events' | 'read models' | 'jobs' | 'vault';

/** Which calls do not get through. */
interface Outage {
  readonly port: Port | null;
  readonly kind: 'all' | 'writes';
}

export type Fate = 'arrives' | 'unreachable' | 'vanished' | 'unanswered' | 'late' | 'doubled';

const CALM: Faults = { slow: 0, unreachable: 0, vanished: 0, unanswered: 0, late: 0, doubled: 0, cut: 0, severed: 0 };

const WORST: Faults = {
  slow: 0.05,
  unreachable: 0.06,
  vanished: 0.03,
  unanswered: 0.06,
  late: 0.03,
  doubled: 0.05,
  cut: 0.8,
  severed: 0.2,
};

const USUAL_MS = 4;
const SLOW_MS = 1_500;
const LATER_MS = 12_000;

/** What lies between the processes and their stores. */
export class Network {
  faults = CALM;
  private outages: readonly (Outage & { readonly until: number })[] = [];

  constructor(
    private readonly timeline: Timeline,
    private readonly luck: Luck,
  ) {}

  /** From now on each kind of fault is as frequent as the lot has it; about half of the kinds are absent. */
  becomeFaulty(): void {
    const drawn = Object.entries<number>({ ...WORST }).map(([kind, worst]) => [kind, this.luck.chance(0.5) ? 0 : this.luck.next() * worst]);
    this.faults = Object.fromEntries(drawn) as Faults;
  }

  becomeCalm(): void {
    this.faults = CALM;
    this.outages = [];
  }

  /** Whatever is asked arrives, and is answered soon. */
  get isReliable(): boolean {
    const { slow, unreachable, vanished, unanswered, late } = this.faults;
    return slow + unreachable + vanished + unanswered + late === 0;
  }

  breakDown(ms: number, outage: Outage): void {
    this.outages = [...this.outages, { ...outage, until: this.timeline.now + ms }];
  }

  fateOf(port: Port, kind: 'reads' | 'writes'): Fate {
    const { unreachable, vanished, unanswered, late, doubled } = this.faults;
    if (this.isAway(port, kind) || this.luck.chance(unreachable)) return 'unreachable';
    if (kind === 'reads') return 'arrives';
    if (this.luck.chance(vanished)) return 'vanished';
    if (this.luck.chance(unanswered)) return 'unanswered';
    if (this.luck.chance(late)) return 'late';
    return this.luck.chance(doubled) ? 'doubled' : 'arrives';
  }

  /** Of what a process had sent when it ended. */
  fateOfTheDead(): 'arrives' | 'lost' {
    return this.luck.chance(0.5) ? 'arrives' : 'lost';
  }

  /** One way. */
  latencyMs(): number {
    return this.luck.between(0, this.luck.chance(this.faults.slow) ? SLOW_MS : USUAL_MS);
  }

  /** Until something that was on its way, and forgotten, arrives. */
  muchLaterMs(): number {
    return this.luck.between(0, LATER_MS);
  }

  /** At how many of its events a page ends early. */
  cut(events: number): number {
    return this.luck.chance(this.faults.cut) ? this.luck.whole(1, events) : events;
  }

  severs(): boolean {
    return this.luck.chance(this.faults.severed);
  }

  private isAway(port: Port, kind: 'reads' | 'writes'): boolean {
    return this.outages.some(
      (outage) => this.timeline.now < outage.until && (outage.port ?? port) === port && (outage.kind === 'all' || kind === 'writes'),
    );
  }
}
