import fc from 'fast-check';
import { scaleRuns, seed } from '../../contracts/seed.js';
import { ChainedStore } from './chained-store.js';

const SIZE = 31;
/** The position of the event that signs the chain of all events before it. */
const CHECKPOINT = 16;

describe('The verification of a store', () => {
  let store: ChainedStore;
  beforeAll(async () => (store = await ChainedStore.create(SIZE, CHECKPOINT)));
  afterAll(() => store.close());

  it('accepts a store that nobody has changed', async () =>
    expect(await store.verify()).toEqual({
      events: SIZE,
      chains: 1,
      checkpoints: 1,
      stored_heads: 1,
      mismatches: [],
    }));

  const findMismatches = async (sql: string, missing?: Parameters<ChainedStore['verify']>[0]) => {
    store.tamper(sql);
    const { mismatches } = await store.verify(missing);
    store.restore();
    return mismatches.map(({ after, position }) => ({ after: Number(after), position: Number(position) }));
  };

  it.each(Object.entries(tamperings(SIZE)))(
    `finds each of random tamperings at its position: %s (SEED=${seed})`,
    (_, tampering) =>
      fc.assert(
        fc.asyncProperty(tampering, async ({ sql, position }) =>
          expect((await findMismatches(sql)).map((mismatch) => mismatch.position)).toEqual([position]),
        ),
        { seed, numRuns: scaleRuns(40) },
      ),
    60_000,
  );

  /** An attacker who deletes the signed checkpoint, the end of the log and the read models leaves no trace there. */
  const signedPart = Object.entries(tamperings(CHECKPOINT - 1)).filter(([kind]) => kind !== 'truncate');

  it.each(signedPart)(
    `finds tamperings of signed events without read models: %s (SEED=${seed})`,
    (_, tampering) =>
      fc.assert(
        fc.asyncProperty(tampering, async ({ sql, position }) => {
          const [mismatch, ...more] = await findMismatches(sql, { chains: null, events: null });

          expect(more).toEqual([]);
          expect(mismatch!.after).toBeLessThan(position);
          expect(mismatch!.position).toBeGreaterThanOrEqual(position);
        }),
        { seed, numRuns: scaleRuns(20) },
      ),
    60_000,
  );
});

describe('An event of a chain without a stored head', () => {
  const LAST = SIZE + 1;
  let store: ChainedStore;
  beforeAll(async () => {
    store = await ChainedStore.create(SIZE, CHECKPOINT);
    store.tamper(`insert into events
      select ${LAST}, 'discount-dsc_0', 0, 'other', type, data, json_set(meta, '$.business', 'biz_2')
        from events where type = 'DiscountCreated' limit 1`);
  });
  afterAll(() => store.close());

  it.each([
    ['is reported when the chains are stored up to it', LAST, [LAST]],
    ['is reported when the chains are stored beyond it', LAST + 1, [LAST]],
    ['is not reported when the chains are stored up to the event before it', SIZE, []],
  ])('%s', async (_, reached, positions) => {
    const { mismatches } = await store.verify({}, reached);

    expect(mismatches.map(({ position }) => Number(position))).toEqual(positions);
  });
});

describe('Several events that the stored head of their chain does not cover', () => {
  it('are reported when the chains are stored up to the first of them', async () => {
    const store = await ChainedStore.create(SIZE, CHECKPOINT);
    const copy = (position: number) => `insert into events
      select ${position}, 'discount-dsc_${position}', 0, 'other ${position}', type, data, json_set(meta, '$.business', 'biz_2')
        from events where type = 'DiscountCreated' limit 1`;
    store.tamper([SIZE + 1, SIZE + 2].map(copy).join(';'));
    const { mismatches } = await store.verify({}, SIZE + 1);
    await store.close();

    expect(mismatches.map(({ position }) => Number(position))).toEqual([SIZE + 1]);
  });
});

describe('A checkpoint with a signature of another key', () => {
  it('is reported where no read model tells that the event was changed', async () => {
    const store = await ChainedStore.create(SIZE, CHECKPOINT);
    const forged = Buffer.alloc(64, 'x').toString('base64');
    store.tamper(`update events set data = json_set(data, '$.signature', '${forged}') where position = ${CHECKPOINT}`);
    const { mismatches } = await store.verify({ chains: null, events: null });
    await store.close();

    expect(mismatches.map(({ reason }) => reason)).toEqual(['the signature of a checkpoint is invalid']);
  });
});

interface Tampering {
  readonly sql: string;
  /** The first position that does not fit afterwards. */
  readonly position: number;
}

/** @param last the last position that is changed */
function tamperings(last: number) {
  const place = fc.integer({ min: 1, max: last });
  return {
    edit: fc.tuple(place, fc.constantFrom('data', 'meta')).map(([position, part]) => ({
      sql: `update events set ${part} = json_set(${part}, '$.forged', 1) where position = ${position}`,
      position,
    })),
    delete: place.map((position) => ({ sql: `delete from events where position = ${position}`, position })),
    insert: place.map((position) => ({
      sql: `${shift(position)}
        insert into events select ${position}, 'discount-dsc_0', 0, 'forged', type, data, meta
          from events where type = 'DiscountCreated' limit 1`,
      position,
    })),
    reorder: fc
      .tuple(place, place)
      .filter(([a, b]) => a < b)
      .map(([position, other]) => ({ sql: exchange(position, other), position })),
    truncate: place.map((position) => ({ sql: `delete from events where position >= ${position}`, position })),
  } satisfies Record<string, fc.Arbitrary<Tampering>>;
}

/** Makes room for an event. */
function shift(position: number): string {
  return `update events set position = -position - 1 where position >= ${position};
    update events set position = -position where position < 0;`;
}

function exchange(position: number, other: number): string {
  return `update events set position = 1000 where position = ${position};
    update events set position = ${position} where position = ${other};
    update events set position = ${other} where position = 1000`;
}
