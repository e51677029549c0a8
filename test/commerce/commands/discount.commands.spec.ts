import { CreateDiscount, CreateDiscountHandler } from '../../../src/commerce/commands/discount.commands.js';
import { Discounts } from '../../../src/commerce/commands/discounts.steps.js';
import { discountCodeClaims, discountDecider, type DiscountTerms } from '../../../src/commerce/domain/discount.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { idOf } from '../../../src/kernel/ids.js';
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

describe('A code with an accent', () => {
  const [composed, decomposed] = ['Save-\u00c9', 'Save-E\u0301'];
  const clock = new EagerClock();
  const code = { businessId: 'biz_1', mode: 'test' } as const;
  let streams: Streams;
  beforeEach(() => {
    streams = new Streams(new MemoryEventStore(clock), clock, new SeededRandom());
  });

  const create = (label: string, written: string) =>
    new CreateDiscountHandler(streams).execute(new CreateDiscount(createContext(label), { ...terms, code: written }));

  /** Records the claim of an earlier version: another encoding of an accent was another code. */
  const recordEarlier = async (written: string) => {
    const discountId = 'dsc_earlier';
    const codeId = idOf('code', 0, code.businessId, code.mode, written.toLowerCase());
    const context = createContext('earlier');
    await streams.execute(discountCodeClaims, codeId, { type: 'Claim', ownerId: discountId }, context);
    const discount = { ...terms, ...code, discountId, code: written };
    await streams.execute(discountDecider, discountId, { type: 'CreateDiscount', discount }, context);
    return discountId;
  };

  const find = async (written: string) =>
    (await new Discounts(streams).requireActive({ ...code, code: written })).discountId;

  it.each([
    [composed, decomposed],
    [decomposed, composed],
    [composed, decomposed.toLowerCase()],
  ])('is the same in another encoding: %j and %j', async (first, second) => {
    const { id } = await create('first', first);
    await expect(create('second', second)).rejects.toMatchObject({ code: 'discount_code_taken' });
    expect([await find(first), await find(second)]).toEqual([id, id]);
  });

  it.each([composed, decomposed])('stays valid and taken when an earlier version claimed it as %j', async (written) => {
    const discountId = await recordEarlier(written);
    for (const other of [composed, decomposed]) {
      expect(await find(other)).toBe(discountId);
      await expect(create(`again ${other}`, other)).rejects.toMatchObject({ code: 'discount_code_taken' });
    }

    const removal = { type: 'DeleteDiscount', discountId } as const;
    await streams.execute(discountDecider, discountId, removal, createContext('delete'));
    const { id } = await create('new', composed);
    expect([await find(composed), await find(decomposed)]).toEqual([id, id]);
  });
});
