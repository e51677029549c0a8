import { Views } from '../../src/engine/reading/views.js';
import { Progress } from '../../src/kernel/context.js';
import { START, type Position } from '../../src/kernel/position.js';
import type { Recorded } from '../../src/kernel/event.js';
import { jars, type JarDocument } from '../support/jar.js';
import { TOTAL } from './jars.js';
import type { Luck } from './luck.js';
import type { Process } from './process.js';
import type { World } from './world.js';

const LOOKS = 40;

/**
 * Simulated readers. They check that an acknowledged write is visible or the answer is stale, and that no process shows
 * less than before.
 */
export class Readers {
  /** The violations found, a sentence each. */
  readonly missed: string[] = [];
  /** The most coins that each process has shown in the total jar. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly luck: Luck,
  ) {}

  begin(ms: number): void {
    for (let left = LOOKS; left > 0; left--) this.world.timeline.after(this.luck.between(0, ms), () => this.look());
  }

  /** Reads an acknowledged write from any process. */
  read(jarId: string, position: Position): void {
    this.ask(jarId, position, (document, { stale }) => {
      const due = this.eventsOf(jarId).filter((event) => event.position <= position);
      const isRight = document === null ? this.isBroken(jarId) : due.every(({ id }) => document.events.includes(id));
      if (!isRight && !stale) this.missed.push(`${jarId} was shown without an acknowledged write and not reported as stale`);
    });
  }

  /** Reads the total without a position; the process must not show less than before. */
  private look(): void {
    let before = 0;
    const remember = ({ name }: Process) => (before = this.shown.get(name) ?? 0);
    this.ask(
      TOTAL,
      START,
      (document, _, { name }) => {
        const coins = document?.coins ?? 0;
        if (coins < before && !this.world.hasDropped) this.missed.push(`${name} showed ${coins} coins after ${before}`);
        this.shown.set(name, Math.max(coins, this.shown.get(name) ?? 0));
      },
      remember,
    );
  }

  private ask(
    jarId: string,
    position: Position,
    judge: (document: JarDocument | null, progress: Progress, process: Process) => void,
    begin: (process: Process) => void = () => undefined,
  ): void {
    const process = this.world.anyProcess(this.luck);
    if (process === null) return;
    begin(process);
    const progress = new Progress(position);
    // A failed read is not a violation.
    void process
      .get(Views)
      .get(jars, jarId, progress)
      .then(
        (document) => judge(document, progress, process),
        () => undefined,
      );
  }

  private isBroken(jarId: string): boolean {
    return this.eventsOf(jarId).some(({ type }) => type === 'JarBroken');
  }

  private eventsOf(jarId: string): Recorded[] {
    return this.world.stores.events.log.filter(({ stream }) => stream === `jar-${jarId}`);
  }
}
