import { verifyExport } from '../../../src/audit/chain/export-verification.js';
import { COPY_INTERVAL } from '../../../src/audit/projections/audit-chains.js';
import { chainOf, PUBLIC_KEY, toFile, writeExport } from '../chain/chained-log.js';
import { ChainedStore } from './chained-store.js';

const SIZE = 2.5 * COPY_INTERVAL;
/** The position of the event that signs the chain of all events before it. */
const CHECKPOINT = 2.2 * COPY_INTERVAL;
/** Within the events before the first stored copy of the head, and between the first two copies. */
const EARLY = COPY_INTERVAL / 2;
const LATER = 1.5 * COPY_INTERVAL;

describe('A chain of thousands of events', () => {
  let store: ChainedStore;
  beforeAll(async () => (store = await ChainedStore.create(SIZE, CHECKPOINT)), 60_000);
  afterAll(() => store.close());
  afterEach(() => store.restore());

  const forge = (position: number) =>
    store.tamper(`update events set data = json_set(data, '$.forged', 1) where position = ${position}`);
  const findMismatches = async (missing?: Parameters<ChainedStore['verify']>[0]) =>
    (await store.verify(missing)).mismatches.map(({ after, position }) => [Number(after), Number(position)]);

  it('fits its head, the stored copies of earlier heads, and its checkpoint', async () =>
    expect(await store.verify()).toEqual({
      events: SIZE,
      chains: 1,
      checkpoints: 1,
      stored_heads: 3,
      mismatches: [],
    }));

  it.each([
    [EARLY, 0],
    [LATER, COPY_INTERVAL],
    [COPY_INTERVAL, 0],
    [COPY_INTERVAL + 1, COPY_INTERVAL],
  ])('shows that event %i was changed, and fits up to the copy at %i', async (position, copy) => {
    forge(position);

    expect(await findMismatches()).toEqual([[copy, position]]);
    expect(await findMismatches({ events: null })).toEqual([[copy, copy + COPY_INTERVAL]]);
    expect(await findMismatches({ chains: null, events: null })).toEqual([[0, CHECKPOINT - 1]]);
  });

  it.each([
    ['from its beginning', 0],
    ['from a stored copy of its head', COPY_INTERVAL],
  ])('is verified without the store: an export %s', async (_, start) => {
    const log = await store.readLog();
    const before = chainOf(log.slice(0, start));
    const { lines, manifest } = writeExport(log.slice(start), 'ndjson', () => true, before);
    const changed = lines.with(EARLY, lines[EARLY]!.replace('"code":"a"', '"code":"b"'));
    const verify = async (file: readonly string[]) => verifyExport([toFile(file)], manifest, PUBLIC_KEY);

    expect(await verify(lines)).toEqual({ events: SIZE - start, mismatch: null });
    expect((await verify(changed)).mismatch).toMatchObject({ line: EARLY + 1, number: start + EARLY });
  });
});
