import type { BackgroundWork } from '../kernel/background-errors.js';
import type { Checkpoints } from '../kernel/checkpoints.js';
import type { Clock, Random } from '../kernel/clock.js';
import type { Leases } from '../kernel/leases.js';
import type { ProcessId } from '../kernel/process-id.js';
import { LeaseRunner } from './lease-runner.js';
import { NumberedLease } from './numbered-lease.js';
import { Retrier } from './retrier.js';

const DIGITS = 6;
/** The highest number of any kind that any process ever had; stored as a checkpoint, because it only moves forward. */
export const PROCESS_NUMBERS = 'process slots';

export interface NumberTools {
  readonly checkpoints: Checkpoints;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly random: Random;
  readonly processId: ProcessId;
}

/** Leases a number to each process that does one kind of work, so that these processes can see each other. */
export class ProcessNumbers {
  private readonly numbers: NumberedLease;
  private readonly retrier: Retrier;
  private own: number | null = null;

  constructor(
    kind: 'process' | 'sender',
    private readonly tools: NumberTools,
    work: BackgroundWork,
  ) {
    const { leases, clock, random, processId } = tools;
    this.numbers = new NumberedLease(kind, new LeaseRunner(leases, clock, random, processId.value));
    this.retrier = new Retrier(clock, random, work);
  }

  /**
   * Holds the first free number until the signal aborts; another number after an outage of the store has cost the
   * process its number.
   * @param work runs while a number is held and visible to other processes, until `ended`
   */
  async hold(signal: AbortSignal, work: (ended: Promise<unknown>) => Promise<void>): Promise<void> {
    for (let number = 1; !signal.aborted;) {
      const wasFree = await this.retrier.run(() => this.holdNumber(number, signal, work), signal);
      number = wasFree ? 1 : number + 1;
    }
  }

  /** Lists the lease names of the numbers that other processes hold. */
  async listOthers(): Promise<readonly string[]> {
    const others = [];
    const highest = Number(await this.tools.checkpoints.readCheckpoint(PROCESS_NUMBERS));
    for (let number = 1; number <= highest; number++) {
      if (number !== this.own && !(await this.numbers.isFree(number))) others.push(this.numbers.nameOf(number));
    }
    return others;
  }

  private holdNumber(
    number: number,
    signal: AbortSignal,
    work: (ended: Promise<unknown>) => Promise<void>,
  ): Promise<boolean> {
    return this.numbers.hold(number, signal, async (ended) => {
      this.own = number;
      try {
        const highest = String(number).padStart(DIGITS, '0');
        await this.tools.checkpoints.advanceCheckpoints({ [PROCESS_NUMBERS]: highest });
        await work(ended);
      } finally {
        this.own = null;
      }
    });
  }
}
