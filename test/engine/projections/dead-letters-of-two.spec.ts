import type { DeadLetter } from '../../../src/engine/projections/dead-letter.js';
import { DeadLetters, updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import { Projector } from '../../../src/engine/projections/projector.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Projection } from '../../../src/kernel/projection.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { coinsAdded, type JarDocument, jars } from '../../support/jar.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';

/** Runs a hook after the next dead letter is removed. */
class InterruptedReadModels extends MemoryReadModels {
  onSave: (() => Promise<void>) | null = null;

  override async compareAndSet(collection: string, row: Row, expected: Position): Promise<boolean> {
    const replaced = await super.compareAndSet(collection, row, expected);
    const { onSave } = this;
    this.onSave = null;
    await onSave?.();
    return replaced;
  }
}

/** Two processes that fold the same jar, whose first coin cannot be folded at first. */
class Mint {
  readonly cluster = new TestCluster();
  readonly readModels = new InterruptedReadModels(this.cluster.clock);
  readonly [0] = this.process();
  readonly [1] = this.process();
  private cured = false;
  private coins = 0;

  async coin(): Promise<RecordedEvent[]> {
    await this.cluster.append('jar-a', coinsAdded('a', `${++this.coins}`));
    return [this.cluster.store.log.at(-1)!];
  }

  cure(): void {
    this.cured = true;
  }

  async release(): Promise<void> {
    this.cure();
    for (const letter of await this.letters()) await updateDeadLetter(this.readModels, { ...letter, retry: true });
  }

  async letters(): Promise<DeadLetter[]> {
    const all = await new DeadLetters(this.readModels, this.cluster.clock, BUILD).load();
    return [...all.values()].flat();
  }

  async jar(): Promise<JarDocument | null | undefined> {
    const [row] = (await this.readModels.load(BUILD, ['a'])) as Row<JarDocument>[];
    return row?.document;
  }

  private process(): Projector<JarDocument> {
    const fussy: Projection<JarDocument> = {
      ...jars,
      on: {
        ...jars.on,
        CoinsAdded: (document, event, id) => {
          if (!this.cured && event.revision === 0) throw new Error('not yet');
          return jars.on.CoinsAdded!(document, event, id);
        },
      },
    };
    return new Projector(
      fussy,
      { store: this.cluster.store, readModels: this.readModels, clock: this.cluster.clock },
      BUILD,
    );
  }
}

describe('Two processes, of which one sets events aside while the other folds released ones,', () => {
  it('both continue, and the document has all events', async () => {
    const mint = new Mint();
    const [one, other] = [mint[0], mint[1]];
    await one.prepare();
    const first = await mint.coin();
    await one.handle(first);
    await other.handle(first);
    await mint.release();
    mint.readModels.onSave = async () => void (await other.handle(await mint.coin()));
    await one.refresh();
    await other.refresh();
    const last = await mint.coin();
    for (const process of [one, other]) await process.handle([...mint.cluster.store.log.slice(1, -1), ...last]);

    expect(await mint.letters()).toEqual([]);
    expect(await mint.jar()).toMatchObject({ coins: 3 });
  });
});

describe('A process that waits for a document that another process can fold', () => {
  it('sets no event aside that the document contains, the last one included', async () => {
    const mint = new Mint();
    const [waiting, folding] = [mint[0], mint[1]];
    await folding.prepare();
    await folding.handle([]);
    const first = await mint.coin();
    await waiting.handle(first);
    const second = await mint.coin();
    mint.cure();
    await folding.handle([...first, ...second]);
    await waiting.handle(second);

    const [{ position }] = first as [RecordedEvent];
    expect(await mint.letters()).toEqual([expect.objectContaining({ position, to_position: position })]);
  });
});
