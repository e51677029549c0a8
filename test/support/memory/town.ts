import { iso } from '../../../src/kernel/clock.js';
import type { Wiring } from '../../../src/engine/registry.js';
import { contextOf, jar, jars, type JarDocument } from '../jar.js';
import { House } from './house.js';

export const JARS = 'jars@1';
/** What has a checkpoint here: a projection, and a reactor. */
export const NAMES = [JARS, 'reactor:polish'];

type Process = ReturnType<House['mortal']>;

interface Moment {
  readonly applied: ReadonlySet<string>;
  readonly checkpoints: readonly string[];
}

/** What a command came to, as its caller knows it. */
type Told = 'recorded' | 'absent' | 'unknown' | 'nothing';

export interface Sent {
  readonly label: string;
  readonly jar: number;
  /** One for each time that it was sent. */
  readonly told: Told[];
}

/** How many events a command for this jar records. */
export const timesOf = (index: number) => 1 + (index % 2);

/** Several processes on one set of stores, killed and started again while commands come in. */
export class Town {
  readonly house = new House();
  readonly sent: Sent[] = [];
  /** Events in the order in which a reactor saw them. */
  readonly seen: { readonly stream: string; readonly revision: number }[] = [];
  readonly done: string[] = [];
  /** At each writing of checkpoints: where they are, and which events the documents hold. */
  readonly moments: Promise<Moment>[] = [];
  private readonly processes: Process[] = [];
  private born = 0;

  constructor() {
    this.house.readModels.onAdvance = () => this.moments.push(this.moment());
  }

  async begin(processes: number): Promise<void> {
    for (let i = 0; i < processes; i++) this.processes.push(await this.another());
  }

  /** One more process in place of one that is killed. */
  async replace(index: number): Promise<void> {
    const place = index % this.processes.length;
    this.processes[place]!.kill();
    this.processes[place] = await this.another();
  }

  send(process: number, jar: number): void {
    this.sent.push({ label: `command ${this.sent.length}`, jar, told: [] });
    this.repeat(process, this.sent.length - 1);
  }

  /** As a caller does who has not heard, or not understood. */
  repeat(process: number, index: number): void {
    const command = this.sent[index % this.sent.length];
    if (command === undefined) return;
    const time = command.told.push('nothing') - 1;
    void this.execute(process, command).then((told) => (command.told[time] = told));
  }

  private async execute(process: number, { label, jar: index }: Sent): Promise<Told> {
    const jarId = `jar_${index % 3}`;
    const { streams } = this.processes[process % this.processes.length]!;
    try {
      await streams.execute(jar, jarId, { type: 'AddCoins', jarId, coins: 1, times: timesOf(index) }, contextOf(label));
      return 'recorded';
    } catch (error) {
      const { name, maybeWritten } = error as { name: string; maybeWritten?: boolean };
      return name === 'StoreUnavailable' && maybeWritten ? 'unknown' : 'absent';
    }
  }

  private async another(): Promise<Process> {
    const holder = `process ${this.born++}`;
    const process = this.house.mortal(({ jobs }) => this.wiring(jobs), holder);
    void process.engine.start();
    return process;
  }

  private async moment(): Promise<Moment> {
    const { readModels } = this.house;
    const [documents, ...checkpoints] = await Promise.all([
      this.house.documents(JARS),
      ...NAMES.map((name) => readModels.checkpoint(name)),
    ]);
    const applied = (documents as JarDocument[]).flatMap(({ events }) => events);
    return { applied: new Set(applied), checkpoints };
  }

  private wiring(jobs: House['jobs']): Wiring {
    return {
      projections: [jars],
      reactors: [
        {
          name: 'polish',
          types: ['CoinsAdded'],
          react: async ({ id, stream, revision }) => {
            this.seen.push({ stream, revision });
            await jobs.put([{ key: id, queue: 'polish', due: iso(this.house.clock.now()), data: {} }]);
          },
        },
      ],
      jobs: [{ queue: 'polish', concurrency: 3, leaseMs: 2_000, run: async ({ key }) => void this.done.push(key) }],
    };
  }
}
