import { CreateDiscount, CreateDiscountHandler } from '../../../src/commerce/commands/discount.commands.js';
import type { DiscountTerms } from '../../../src/commerce/domain/discount.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { freezeNewEvents } from '../../support/histories.js';
import { createContext } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const terms: DiscountTerms = { code: 'Spring', percentOff: 20, duration: 'once', months: null };

/** A store that fails when a discount is created, as a crash after the claim of the code does. */
class CrashingStore extends MemoryEventStore {
  crashing = false;

  override append(...request: Parameters<MemoryEventStore['append']>): ReturnType<MemoryEventStore['append']> {
    const [stream] = request;
    if (this.crashing && stream.startsWith('discount-')) throw new Error('crash');
    return super.append(...request);
  }
}

describe('A code that a crash left without a discount', () => {
  const clock = new EagerClock();
  let store: CrashingStore;
  const run = (label: string) =>
    new CreateDiscountHandler(new Streams(store, clock, new SeededRandom())).execute(
      new CreateDiscount(createContext(label), terms),
    );
  beforeEach(async () => {
    store = new CrashingStore(clock);
    store.crashing = true;
    await expect(run('first')).rejects.toThrow('crash');
    store.crashing = false;
  });

  it('is used when the same command runs again', async () => {
    expect(await run('first')).toMatchObject({ code: 'Spring', status: 'active' });
    await expect(run('second')).rejects.toMatchObject({ code: 'discount_code_taken' });
  });

  it('is taken by another discount, and then the first one is not created', async () => {
    expect(await run('second')).toMatchObject({ code: 'Spring', status: 'active' });
    await expect(run('first')).rejects.toMatchObject({ code: 'discount_code_taken' });

    expect(store.log.map(({ type }) => type)).toEqual([
      'DiscountCodeClaimed',
      'DiscountAbandoned',
      'DiscountCodeClaimed',
      'DiscountCreated',
    ]);
    if (process.env.FREEZE === '1') await freezeNewEvents(store.log);
  });
});
