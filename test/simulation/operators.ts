import { BuildOperator } from '../../src/engine/builds/operator.js';
import type { Entry } from '../../src/engine/builds/catalogue.js';
import { jars } from '../support/jar.js';
import type { Luck } from './luck.js';
import type { World } from './world.js';

const MOST_ACTS = 8;
/** Most of what is done is done to one projection. */
const FAVOURITE = 0.7;
const LONGEST_PAUSE_MS = 3_000;

/** Those who rebuild, switch, go back and drop while everything runs. What is refused, or cannot be reached, is left at that. */
export class Operators {
  /** What a verification found that should be nothing. */
  readonly differences: string[] = [];

  constructor(
    private readonly world: World,
    private readonly luck: Luck,
  ) {}

  /** So much within the first `ms` as the lot has it. */
  begin(ms: number): void {
    for (let left = this.luck.whole(0, MOST_ACTS); left > 0; left--) this.world.timeline.after(this.luck.between(0, ms), () => this.act());
  }

  /** Whatever was paused and never resumed. */
  async resumeAll(): Promise<void> {
    for (const { name, value } of await this.world.stores.readModels.catalogue()) {
      if ((value as Entry).paused) this.told(`resume ${name}`, (operator) => operator.resume(name));
    }
  }

  private act(): void {
    const { luck } = this;
    const name = luck.chance(FAVOURITE) ? jars.name : luck.oneOf(this.world.registry.projections).name;
    const act = luck.oneOf(['rebuild', 'rebuild', 'make', 'switch', 'rollback', 'drop', 'pause', 'verify', 'repair'] as const);
    this.told(`${act} ${name}`, (operator) => this.do(operator, act, name));
  }

  private async do(operator: BuildOperator, act: string, name: string): Promise<unknown> {
    switch (act) {
      case 'rebuild':
        return operator.rebuild(name, { switch: true });
      case 'make':
        return operator.rebuild(name, { switch: false });
      case 'switch':
        return operator.switch(name);
      case 'rollback':
        return operator.rollback(name);
      case 'drop':
        this.world.hasDropped = true;
        return operator.drop(name);
      case 'pause':
        this.resumeSoon(name);
        return operator.pause(name);
      case 'repair':
        return this.repair(operator, name);
      default:
        return this.verify(operator, name);
    }
  }

  private resumeSoon(name: string): void {
    const resume = () => this.told(`resume ${name}`, (operator) => operator.resume(name));
    this.world.timeline.after(this.luck.between(0, LONGEST_PAUSE_MS), resume);
  }

  /** Nothing that is served is to be repaired. */
  private async repair(operator: BuildOperator, name: string): Promise<void> {
    const id = this.luck.oneOf(['jar_1', 'jar_2', 'jar_total']);
    const { repaired } = await operator.rebuildKey(name, id);
    for (const build of repaired) this.differences.push(`${build} held another ${id} than the log tells`);
  }

  private async verify(operator: BuildOperator, name: string): Promise<void> {
    const { build, differences } = await operator.verify(name);
    for (const { id, what } of differences) this.differences.push(`${build}: ${id} ${what}`);
  }

  private told(what: string, work: (operator: BuildOperator) => Promise<unknown>): void {
    const process = this.world.anyProcess(this.luck);
    if (process === null) return;
    const { trace } = this.world;
    trace.tell(`operator: ${what} → ${process.name}`);
    work(process.get(BuildOperator)).then(
      () => trace.tell(`operator: ${what} by ${process.name}: done`),
      (error: Error) => trace.tell(`operator: ${what} by ${process.name}: ${error.message}`),
    );
  }
}
