import type { SimulationRandom } from './seeded-random.js';
import type { Timeline } from './timeline.js';

/** The probability of each kind of fault, for one call. */
interface Faults {
  /** The call takes much longer than usual. */
  readonly slow: number;
  /** The call is lost and the caller gets an error. */
  readonly unreachable: number;
  /** The call is lost and the caller does not know it. */
  readonly vanished: number;
  /** The call is executed and its response is lost. */
  readonly unanswered: number;
  /** The call is executed long after the caller's timeout. */
  readonly late: number;
  /** The call is executed twice, the second time much later. */
  readonly doubled: number;
  /** A page has fewer events than available. */
  readonly cut: number;
  /** A subscription loses its connection. */
  readonly severed: number;
}

export type Port = 'events' | 'read models' | 'jobs' | 'vault';

/** The calls that an outage blocks. */
interface Outage {
  readonly port: Port | null;
  readonly kind: 'all' | 'writes';
}

export type Fate = 'arrives' | 'unreachable' | 'vanished' | 'unanswered' | 'late' | 'doubled';

const NO_FAULTS: Faults = {
  slow: 0,
  unreachable: 0,
  vanished: 0,
  unanswered: 0,
  late: 0,
  doubled: 0,
  cut: 0,
  severed: 0,
};

const MAX_FAULTS: Faults = {
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

/** The network between the processes and their stores. */
export class Network {
  faults = NO_FAULTS;
  private outages: readonly (Outage & { readonly until: number })[] = [];

  constructor(
    private readonly timeline: Timeline,
    private readonly random: SimulationRandom,
  ) {}

  /** Draws the probability of each kind of fault; about half of the kinds are absent. */
  becomeFaulty(): void {
    const drawn = Object.entries<number>({ ...MAX_FAULTS }).map(([kind, worst]) => [
      kind,
      this.random.chance(0.5) ? 0 : this.random.next() * worst,
    ]);
    this.faults = Object.fromEntries(drawn) as Faults;
  }

  endFaults(): void {
    this.faults = NO_FAULTS;
    this.outages = [];
  }

  /** Whether no call is lost, late or slow. */
  get isReliable(): boolean {
    const { slow, unreachable, vanished, unanswered, late } = this.faults;
    return slow + unreachable + vanished + unanswered + late === 0;
  }

  addOutage(ms: number, outage: Outage): void {
    this.outages = [...this.outages, { ...outage, until: this.timeline.now + ms }];
  }

  drawFate(port: Port, kind: 'reads' | 'writes'): Fate {
    const { unreachable, vanished, unanswered, late, doubled } = this.faults;
    if (this.isUnavailable(port, kind) || this.random.chance(unreachable)) return 'unreachable';
    if (kind === 'reads') return 'arrives';
    if (this.random.chance(vanished)) return 'vanished';
    if (this.random.chance(unanswered)) return 'unanswered';
    if (this.random.chance(late)) return 'late';
    return this.random.chance(doubled) ? 'doubled' : 'arrives';
  }

  /** Draws the fate of a call of an ended process. */
  drawFateOfEnded(): 'arrives' | 'lost' {
    return this.random.chance(0.5) ? 'arrives' : 'lost';
  }

  /** Draws the latency of one direction. */
  drawLatencyMs(): number {
    return this.random.between(0, this.random.chance(this.faults.slow) ? SLOW_MS : USUAL_MS);
  }

  /** Draws the delay of a late or repeated call. */
  drawLateDelayMs(): number {
    return this.random.between(0, LATER_MS);
  }

  /** Draws the number of events in a page. */
  drawPageLength(events: number): number {
    return this.random.chance(this.faults.cut) ? this.random.integer(1, events) : events;
  }

  drawDisconnect(): boolean {
    return this.random.chance(this.faults.severed);
  }

  private isUnavailable(port: Port, kind: 'reads' | 'writes'): boolean {
    return this.outages.some(
      (outage) =>
        this.timeline.now < outage.until &&
        (outage.port ?? port) === port &&
        (outage.kind === 'all' || kind === 'writes'),
    );
  }
}
