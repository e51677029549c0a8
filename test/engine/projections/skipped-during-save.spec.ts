import { BuildFiller } from '../../../src/engine/builds/build-filler.js';
import { SharedLog } from '../../../src/engine/builds/shared-log.js';
import { DeadLetterRetry } from '../../../src/engine/projections/dead-letter-retry.js';
import { DeadLetters, updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import { Projector } from '../../../src/engine/projections/projector.js';
import { projectionSkipsDecider, Skips, withSkips } from '../../../src/engine/projections/skips.js';
import type { Projection } from '../../../src/kernel/projection.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { SeededRandom } from '../../support/clock.js';
import { coinsAdded, createContext, type JarDocument, jars } from '../../support/jar.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';

/** Runs a hook before the next save of the build. */
class InterruptedReadModels extends MemoryReadModels {
  onSave: (() => Promise<void>) | null = null;

  override async upsert(collection: string, rows: readonly Row[]): Promise<void> {
    const { onSave } = this;
    if (collection === BUILD) this.onSave = null;
    if (collection === BUILD) await onSave?.();
    await super.upsert(collection, rows);
  }
}

/** A jar whose second coin cannot be folded at first, and processes that fold it. */
class Mint {
  readonly cluster = new TestCluster();
  readonly readModels = new InterruptedReadModels(this.cluster.clock);
  private cured = false;

  process(): Projector<JarDocument> {
    return new Projector(this.projection, this.tools, BUILD);
  }

  build(): BuildFiller<JarDocument> {
    const log = new SharedLog(this.cluster.store, this.cluster.clock);
    return new BuildFiller(this.projection, BUILD, { ...this.tools, log, random: new SeededRandom(1) });
  }

  async coins(...all: number[]): Promise<void> {
    for (const coins of all) await this.cluster.append('jar-a', coinsAdded('a', `${coins}`, coins));
  }

  cure(): void {
    this.cured = true;
  }

  async release(): Promise<void> {
    const letters = [...(await new DeadLetters(this.readModels, this.cluster.clock, BUILD).load()).values()].flat();
    for (const letter of letters.filter(({ blocking }) => blocking))
      await updateDeadLetter(this.readModels, { ...letter, retry: true });
  }

  /** Records the skip; the operator's process ends at once. */
  async skip(document: string | null = 'a'): Promise<void> {
    const { streams } = this.cluster.createProcess({});
    const eventId = this.cluster.store.log[1]!.id;
    const command = { type: 'SkipEvent', projection: 'jars', document, eventId, reason: 'bent' } as const;
    await streams.execute(projectionSkipsDecider, 'jars', command, createContext('skip'));
  }

  async coinsKept(): Promise<number | undefined> {
    const [row] = (await this.readModels.load(BUILD, ['a'])) as Row<JarDocument>[];
    return row?.document?.coins;
  }

  /** Retries the dead letters of the jar as a process does that folded the jar past them without the skip. */
  async retryPassed(): Promise<void> {
    const { store, readModels } = this.tools;
    const letters = [...(await new DeadLetters(readModels, this.cluster.clock, BUILD).load()).values()].flat();
    const coins = store.log.filter(({ stream }) => stream === 'jar-a');
    const { position } = coins.at(-1)!;
    const folded = coins.reduce<JarDocument | null>(
      (document, event) => jars.on[event.type]!(document, event, 'a'),
      null,
    );
    await readModels.upsert(BUILD, [{ id: 'a', position, document: folded }]);
    const skips = new Skips(store, 'jars');
    await skips.load();
    await new DeadLetterRetry(withSkips(this.projection, skips), BUILD, { store, readModels, skips }).retry(letters);
  }

  private get tools() {
    const { readModels } = this;
    return { store: this.cluster.store, readModels, checkpoints: readModels, clock: this.cluster.clock };
  }

  private get projection(): Projection<JarDocument> {
    return {
      ...jars,
      on: {
        ...jars.on,
        CoinsAdded: (document, event, id) => {
          if (!this.cured && event.revision === 1) throw new Error('bent');
          return jars.on.CoinsAdded!(document, event, id);
        },
      },
    };
  }
}

describe('An event that is skipped while another process folds it', () => {
  it.each([
    ['for the document', 'a'],
    ['for the whole projection', null],
  ])("is removed %s even if its dead letter is gone and the operator's process ended", async (_, document) => {
    const mint = new Mint();
    const folding = mint.process();
    await folding.prepare();
    await mint.coins(1, 10, 100);
    await folding.handle(mint.cluster.store.log);
    mint.cure();
    await mint.release();
    mint.readModels.onSave = () => mint.skip(document);
    await folding.refresh();
    expect(await mint.coinsKept()).toBe(111);

    await mint.process().handle(mint.cluster.store.log);
    expect(await mint.coinsKept()).toBe(101);
  });

  it.each([
    ['for the document', 'a'],
    ['for the whole projection', null],
  ])('is removed %s by a retry of dead letters that the document has passed', async (_, document) => {
    const mint = new Mint();
    const folding = mint.process();
    await folding.prepare();
    await mint.coins(1, 10, 100);
    await folding.handle(mint.cluster.store.log);
    mint.cure();
    await mint.skip(document);
    await mint.retryPassed();
    expect(await mint.coinsKept()).toBe(101);
  });

  it('is removed from a document of a build in which it was never set aside', async () => {
    const mint = new Mint();
    mint.cure();
    const folding = mint.process();
    await folding.prepare();
    await mint.coins(1, 10, 100);
    await folding.handle(mint.cluster.store.log);
    await mint.skip(null);
    await mint.coins(1_000);
    await folding.handle(mint.cluster.store.log);
    expect(await mint.coinsKept()).toBe(1_101);
  });

  it('does not return with a save that another process started before the skip', async () => {
    const mint = new Mint();
    const [late, other] = [mint.process(), mint.process()];
    await late.prepare();
    await late.handle([]);
    await mint.coins(1, 10, 100);
    const events = [...mint.cluster.store.log];
    await other.handle(events.slice(0, 1));
    await other.handle(events);
    mint.cure();
    mint.readModels.onSave = async () => {
      await mint.skip();
      await other.handle(mint.cluster.store.log);
    };
    await late.handle(events);
    expect(await mint.coinsKept()).toBe(101);
  });

  it("releases the dead letters when the operator's process ended before the release", async () => {
    const mint = new Mint();
    const folding = mint.process();
    await folding.prepare();
    await mint.coins(1, 10, 100);
    await folding.handle(mint.cluster.store.log);
    await mint.skip();
    await folding.handle(mint.cluster.store.log);
    expect(await mint.coinsKept()).toBe(101);
  });

  it('is not folded by a process without knowledge of the skip after a retry has moved past it', async () => {
    const mint = new Mint();
    const [folding, unaware] = [mint.process(), mint.process()];
    await folding.prepare();
    await unaware.handle([]);
    await mint.coins(1, 10);
    const coins = [...mint.cluster.store.log];
    await folding.handle(coins);
    mint.cure();
    await mint.skip();
    await mint.release();
    await folding.refresh();
    await unaware.handle(coins);

    expect(await mint.coinsKept()).toBe(1);
  });

  it('is removed from a build in progress, even if an earlier run folded it', async () => {
    const mint = new Mint();
    mint.cure();
    await mint.coins(1, 10, 100);
    await mint.build().run(new AbortController().signal);
    await mint.skip();
    await mint.build().run(new AbortController().signal);
    expect(await mint.coinsKept()).toBe(101);
  });
});
