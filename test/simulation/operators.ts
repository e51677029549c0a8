import { BuildOperator } from '../../src/engine/builds/build-operator.js';
import type { Entry } from '../../src/engine/builds/catalogue.js';
import { DeadLetterAdmin } from '../../src/engine/projections/dead-letter-admin.js';
import { ConsistencyContext, type Context } from '../../src/kernel/context.js';
import { uuidV5 } from '../../src/kernel/ids.js';
import { jars } from '../support/jar.js';
import type { Process } from './process.js';
import { START_TIME } from './process-lifecycle.js';
import type { SimulationRandom } from './seeded-random.js';
import type { World } from './world.js';

const MAX_ACTIONS = 8;
const MAX_DEAD_LETTERS = 100;
/** The verification result of a document with dead letters. */
const BLOCKED = 'is blocked';
const NAMESPACE = '00000000-0000-4000-8000-000000000001';
/** The share of actions on the jars projection. */
const JARS_SHARE = 0.7;
const MAX_PAUSE_MS = 3_000;

/** Simulated operators. They rebuild, switch, roll back and drop builds while the service runs, and ignore failures. */
export class Operators {
  /** The differences that verifications found; there should be none. */
  readonly differences: string[] = [];
  private commands = 0;

  constructor(
    private readonly world: World,
    private readonly random: SimulationRandom,
  ) {}

  /** Schedules a random number of actions within the first `ms`. */
  start(ms: number): void {
    const { timeline } = this.world;
    for (let left = this.random.integer(0, MAX_ACTIONS); left > 0; left--)
      timeline.after(this.random.between(0, ms), () => this.act());
    for (let left = this.random.integer(0, MAX_ACTIONS); left > 0; left--)
      timeline.after(this.random.between(0, ms), () => this.retryOrSkip());
  }

  /** Resumes paused and failed builds and retries dead letters. */
  async settle(): Promise<void> {
    for (const { name, value } of await this.world.stores.readModels.listEntries()) {
      const { paused, builds } = value as Entry;
      const isToResume = paused || builds.some(({ status }) => status === 'failed');
      if (isToResume) this.operate(`resume ${name}`, (process) => process.get(BuildOperator).resume(name));
    }
    this.retryDeadLetters();
  }

  private retryDeadLetters(): void {
    this.operate('retry dead letters', async (process) => {
      const admin = process.get(DeadLetterAdmin);
      for (const letter of await admin.list({ limit: MAX_DEAD_LETTERS })) await admin.retry(letter);
    });
  }

  private retryOrSkip(): void {
    const isRetry = this.random.chance(0.5);
    const lot = this.random.next();
    const context = this.createContext();
    this.operate(isRetry ? 'retry a dead letter' : 'skip a dead letter', async (process) => {
      const admin = process.get(DeadLetterAdmin);
      const all = await admin.list({ limit: MAX_DEAD_LETTERS });
      const letters = isRetry ? all : all.filter(({ blocking }) => blocking);
      const letter = letters[Math.floor(lot * letters.length)];
      if (letter === undefined) return;
      if (isRetry) await admin.retry(letter);
      else await admin.skip(letter, 'unlucky', context);
    });
  }

  private createContext(): Context {
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
      at: START_TIME + Math.floor(this.world.timeline.now),
      business: null,
      mode: 'live',
      consistency: new ConsistencyContext(),
    };
  }

  private act(): void {
    const { random } = this;
    const name = random.chance(JARS_SHARE) ? jars.name : random.pick(this.world.registry.projections).name;
    const act = random.pick([
      'rebuild',
      'rebuild',
      'make',
      'switch',
      'rollback',
      'drop',
      'pause',
      'verify',
      'repair',
    ] as const);
    this.operate(`${act} ${name}`, (process) => this.do(process.get(BuildOperator), act, name));
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
    const resume = () => this.operate(`resume ${name}`, (process) => process.get(BuildOperator).resume(name));
    this.world.timeline.after(this.random.between(0, MAX_PAUSE_MS), resume);
  }

  /** Rebuilds one document; an active build must not need a repair. */
  private async repair(operator: BuildOperator, name: string): Promise<void> {
    const id = this.random.pick(['jar_1', 'jar_2', 'jar_total']);
    const { repaired } = await operator.rebuildKey(name, id);
    for (const build of repaired) this.differences.push(`${build} held a document ${id} that differs from the log`);
  }

  private async verify(operator: BuildOperator, name: string): Promise<void> {
    const { build, differences } = await operator.verify(name);
    for (const { id, what } of differences) if (what !== BLOCKED) this.differences.push(`${build}: ${id} ${what}`);
  }

  private operate(what: string, work: (process: Process) => Promise<unknown>): void {
    const process = this.world.anyProcess(this.random);
    if (process === null) return;
    const { trace } = this.world;
    trace.log(`operator: ${what} → ${process.name}`);
    work(process).then(
      () => trace.log(`operator: ${what} by ${process.name}: done`),
      (error: Error) => trace.log(`operator: ${what} by ${process.name}: ${error.message}`),
    );
  }
}
