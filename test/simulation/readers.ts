import { ReadModelReader } from '../../src/engine/read-models/read-model-reader.js';
import { ConsistencyContext } from '../../src/kernel/context.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { type Position, START } from '../../src/kernel/position.js';
import { type JarDocument, jars } from '../support/jar.js';
import { TOTAL } from './jars.js';
import type { Process } from './process.js';
import type { SimulationRandom } from './seeded-random.js';
import type { World } from './world.js';

const READS = 40;

/**
 * Simulated readers. They check that an acknowledged write is visible or the answer is stale, and that no process shows
 * less than before.
 */
export class Readers {
  /** The violations found, a sentence each. */
  readonly violations: string[] = [];
  /** The most coins that each process has shown in the total jar. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly random: SimulationRandom,
  ) {}

  start(ms: number): void {
    for (let left = READS; left > 0; left--)
      this.world.timeline.after(this.random.between(0, ms), () => this.readTotal());
  }

  /** Reads an acknowledged write from any process. */
  read(jarId: string, position: Position): void {
    this.query(jarId, position, (document, { isStale }) => {
      const due = this.findEvents(jarId).filter((event) => event.position <= position);
      const isRight = document === null ? this.isBroken(jarId) : due.every(({ id }) => document.events.includes(id));
      if (!isRight && !isStale)
        this.violations.push(`${jarId} was shown without an acknowledged write and not reported as stale`);
    });
  }

  /** Reads the total without a position; the process must not show less than before. */
  private readTotal(): void {
    let before = 0;
    const remember = ({ name }: Process) => (before = this.shown.get(name) ?? 0);
    this.query(
      TOTAL,
      START,
      (document, _, { name }) => {
        const coins = document?.coins ?? 0;
        if (coins < before && !this.world.hasDropped)
          this.violations.push(`${name} showed ${coins} coins after ${before}`);
        this.shown.set(name, Math.max(coins, this.shown.get(name) ?? 0));
      },
      remember,
    );
  }

  private query(
    jarId: string,
    position: Position,
    judge: (document: JarDocument | null, progress: ConsistencyContext, process: Process) => void,
    begin: (process: Process) => void = () => undefined,
  ): void {
    const process = this.world.anyProcess(this.random);
    if (process === null) return;
    begin(process);
    const progress = new ConsistencyContext(position);
    // A failed read is not a violation.
    void process
      .get(ReadModelReader)
      .get(jars, jarId, progress)
      .then(
        (document) => judge(document, progress, process),
        () => undefined,
      );
  }

  private isBroken(jarId: string): boolean {
    return this.findEvents(jarId).some(({ type }) => type === 'JarBroken');
  }

  private findEvents(jarId: string): RecordedEvent[] {
    return this.world.stores.events.log.filter(({ stream }) => stream === `jar-${jarId}`);
  }
}
