import { BuildOperator } from '../../src/engine/builds/operator.js';
import type { Entry } from '../../src/engine/builds/catalogue.js';
import { DeadLetterDesk } from '../../src/engine/projecting/dead-letter-desk.js';
import { Progress, type Context } from '../../src/kernel/context.js';
import { uuidV5 } from '../../src/kernel/ids.js';
import { jars } from '../support/jar.js';
import { BEGINNING } from './life.js';
import type { Luck } from './luck.js';
import type { Process } from './process.js';
import type { World } from './world.js';

const MOST_ACTS = 8;
const MOST_LETTERS = 100;
/** The verification result of a document with dead letters. */
const SET_ASIDE = 'is blocked';
const NAMESPACE = '00000000-0000-4000-8000-000000000001';
/** The share of actions on the jars projection. */
const FAVOURITE = 0.7;
const LONGEST_PAUSE_MS = 3_000;

/** Simulated operators. They rebuild, switch, roll back and drop builds while the service runs, and ignore failures. */
export class Operators {
  /** The differences that verifications found; there should be none. */
  readonly differences: string[] = [];
  private commands = 0;

  constructor(
    private readonly world: World,
    private readonly luck: Luck,
  ) {}

  /** Schedules a random number of actions within the first `ms`. */
  begin(ms: number): void {
    const { timeline } = this.world;
    for (let left = this.luck.whole(0, MOST_ACTS); left > 0; left--) timeline.after(this.luck.between(0, ms), () => this.act());
    for (let left = this.luck.whole(0, MOST_ACTS); left > 0; left--) timeline.after(this.luck.between(0, ms), () => this.retryOrSkip());
  }

  /** Resumes paused and failed builds and retries dead letters. */
  async settle(): Promise<void> {
    for (const { name, value } of await this.world.stores.readModels.catalogue()) {
      const { paused, builds } = value as Entry;
      const isToResume = paused || builds.some(({ status }) => status === 'failed');
      if (isToResume) this.told(`resume ${name}`, (process) => process.get(BuildOperator).resume(name));
    }
    this.retryLetters();
  }

  private retryLetters(): void {
    this.told('retry dead letters', async (process) => {
      const desk = process.get(DeadLetterDesk);
      for (const letter of await desk.list({ limit: MOST_LETTERS })) await desk.retry(letter);
    });
  }

  private retryOrSkip(): void {
    const isRetry = this.luck.chance(0.5);
    const lot = this.luck.next();
    const context = this.context();
    this.told(isRetry ? 'retry a dead letter' : 'skip a dead letter', async (process) => {
      const desk = process.get(DeadLetterDesk);
      const letters = await desk.list({ limit: MOST_LETTERS });
      const letter = letters[Math.floor(lot * letters.length)];
      if (letter === undefined) return;
      if (isRetry) await desk.retry(letter);
      else await desk.skip(letter, 'unlucky', context);
    });
  }

  private context(): Context {
    const commandId = uuidV5(NAMESPACE, ++this.commands);
    const by = {
      correlationId: commandId,
      causationId: commandId,
      requestId: commandId,
      actor: { type: 'system', id: 'operator' },
    } as const;
    return {
      ...by,
      commandId,
      at: BEGINNING + Math.floor(this.world.timeline.now),
      business: null,
      mode: 'live',
      progress: new Progress(),
    };
  }

  private act(): void {
    const { luck } = this;
    const name = luck.chance(FAVOURITE) ? jars.name : luck.oneOf(this.world.registry.projections).name;
    const act = luck.oneOf(['rebuild', 'rebuild', 'make', 'switch', 'rollback', 'drop', 'pause', 'verify', 'repair'] as const);
    this.told(`${act} ${name}`, (process) => this.do(process.get(BuildOperator), act, name));
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
    const resume = () => this.told(`resume ${name}`, (process) => process.get(BuildOperator).resume(name));
    this.world.timeline.after(this.luck.between(0, LONGEST_PAUSE_MS), resume);
  }

  /** Rebuilds one document; an active build must not need a repair. */
  private async repair(operator: BuildOperator, name: string): Promise<void> {
    const id = this.luck.oneOf(['jar_1', 'jar_2', 'jar_total']);
    const { repaired } = await operator.rebuildKey(name, id);
    for (const build of repaired) this.differences.push(`${build} held a document ${id} that differs from the log`);
  }

  private async verify(operator: BuildOperator, name: string): Promise<void> {
    const { build, differences } = await operator.verify(name);
    for (const { id, what } of differences) if (what !== SET_ASIDE) this.differences.push(`${build}: ${id} ${what}`);
  }

  private told(what: string, work: (process: Process) => Promise<unknown>): void {
    const process = this.world.anyProcess(this.luck);
    if (process === null) return;
    const { trace } = this.world;
    trace.tell(`operator: ${what} → ${process.name}`);
    work(process).then(
      () => trace.tell(`operator: ${what} by ${process.name}: done`),
      (error: Error) => trace.tell(`operator: ${what} by ${process.name}: ${error.message}`),
    );
  }
}
