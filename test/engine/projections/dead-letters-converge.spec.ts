import fc from 'fast-check';
import type { DeadLetter } from '../../../src/engine/projections/dead-letter.js';
import { DEAD_LETTERS } from '../../../src/engine/projections/dead-letters.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { coinsAdded, createContext, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';
const THIRTEEN = 13;
const ROUNDS = 5;
const AFTERMATH_MS = 30_000;

type Action =
  | { readonly act: 'write'; readonly jar: 'a' | 'b'; readonly coins: number }
  | { readonly act: 'pass'; readonly ms: number }
  | { readonly act: 'kill'; readonly process: number }
  | { readonly act: 'retry' | 'skip'; readonly letter: number }
  | { readonly act: 'mend' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('write' as const),
      jar: fc.constantFrom('a' as const, 'b' as const),
      coins: fc.constantFrom(1, 2, THIRTEEN),
    }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 700 }) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('kill' as const), process: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('retry' as const, 'skip' as const), letter: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('mend' as const) }) },
);

/** Two processes that cannot fold a thirteen before their code is fixed, and an operator. */
class Workshop {
  readonly cluster = new TestCluster();
  private readonly operator;
  private readonly processes: ReturnType<TestCluster['createCrashableProcess']>[] = [];
  private readonly projection: Projection<JarDocument>;
  private isFixed = false;
  private started = 0;
  private written = 0;

  constructor() {
    this.projection = {
      ...jars,
      on: {
        ...jars.on,
        CoinsAdded: (document, event, id) => {
          if (event.data.coins === THIRTEEN && !this.isFixed) throw new Error('thirteen');
          return jars.on.CoinsAdded!(document, event, id);
        },
      },
    };
    this.operator = this.cluster.createProcess({ projections: [this.projection] }, 'operator');
  }

  async live(actions: readonly Action[]): Promise<void> {
    await this.replace(0);
    await this.replace(1);
    for (const one of actions) await this.happen(one);
    this.isFixed = true;
    await this.cluster.clock.advance(AFTERMATH_MS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { id } of await this.letters()) await this.retry(id);
      await this.cluster.clock.advance(AFTERMATH_MS);
    }
  }

  async letters(): Promise<DeadLetter[]> {
    return this.operator.deadLetterAdmin.list({ limit: 100 });
  }

  /** The expected coins of each jar, without the skipped ones. */
  async drifted(): Promise<unknown[]> {
    const { log } = this.cluster.store;
    const skipped = new Set(log.map(({ data }) => (data as { eventId?: string }).eventId));
    const foldable = log.filter(({ type, id }) => type === 'CoinsAdded' && !skipped.has(id));
    const pairs = await Promise.all(['a', 'b'].map((id) => this.actualAndExpected(id, foldable)));
    return pairs.filter(([kept, should]) => JSON.stringify(kept) !== JSON.stringify(should));
  }

  private async actualAndExpected(id: string, foldable: readonly RecordedEvent[]): Promise<[unknown, unknown]> {
    const own = foldable.filter(({ stream }) => stream === `jar-${id}`);
    const [row] = await this.cluster.readModels.load(BUILD, [id]);
    return [row?.document ?? null, own.length === 0 ? null : render(jars, id, own)];
  }

  private async happen(one: Action): Promise<void> {
    switch (one.act) {
      case 'write':
        await this.cluster.append(`jar-${one.jar}`, coinsAdded(one.jar, `${this.written++}`, one.coins));
        return;
      case 'pass':
        return this.cluster.clock.advance(one.ms);
      case 'kill':
        this.processes[one.process]!.kill();
        return this.replace(one.process);
      case 'mend':
        this.isFixed = true;
        return;
      case 'retry':
      case 'skip':
        return this.operate(one.act, one.letter);
    }
  }

  private async operate(act: 'retry' | 'skip', n: number): Promise<void> {
    const letters = await this.letters();
    const letter = letters[n % letters.length];
    if (letter === undefined) return;
    if (act === 'retry') await this.retry(letter.id);
    else if (letter.blocking)
      await this.operator.deadLetterAdmin.skip(letter, 'of another mint', createContext(`skip ${letter.id}`));
  }

  private async retry(id: string): Promise<void> {
    const letter = await this.operator.deadLetterAdmin.get(id);
    if (letter !== null) await this.operator.deadLetterAdmin.retry(letter);
  }

  private async replace(i: number): Promise<void> {
    this.processes[i] = this.cluster.createCrashableProcess(
      () => ({ projections: [this.projection] }),
      `process ${this.started++}`,
    );
    void this.processes[i].engine.start();
    await this.cluster.clock.advance(20);
  }
}

describe('A projection under random writes, kills, retries and skips', () => {
  it.each(seeds)(
    'has all events except the skipped ones in each document, once everything can be folded (seed %i)',
    async (seed) => {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
          const workshop = new Workshop();
          await workshop.live(actions);
          expect([await workshop.letters(), await workshop.drifted()]).toEqual([[], []]);
          expect(await workshop.cluster.readDocuments(DEAD_LETTERS)).toEqual([]);
        }),
        { seed, numRuns: scaleRuns(50) },
      );
    },
    120_000,
  );
});
