import { RecordedRange } from '../../../src/audit/history/recorded-range.js';
import { auditChains, COPY_INTERVAL } from '../../../src/audit/projections/audit-chains.js';
import { addMs } from '../../../src/kernel/clock.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import { EmbeddedCluster } from '../../support/embedded-cluster.js';
import { createContext } from '../../support/jar.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { BUSINESS, createChainedEvent } from '../chain/chained-log.js';

const EVENTS = 3_200;
const MINUTE_MS = 60_000;
const BEGIN = '2026-02-01T00:00:00.000Z';
/** The events of the hour that is added to a range, at one event each minute. */
const MARGIN_EVENTS = 60;

let cluster: EmbeddedCluster;
let range: RecordedRange;
let log: Awaited<ReturnType<typeof readWholeLog>>;
beforeAll(async () => {
  cluster = await EmbeddedCluster.open();
  const { stores } = await cluster.createProcess({});
  const events = Array.from({ length: EVENTS }, (_, n) => createEventOfMinute(n));
  await stores.events.append('discount-dsc_1', 'none', events);
  log = await readWholeLog(stores.events);
  const { views } = await cluster.startProcess({ projections: [auditChains] });
  await views.requirePosition(auditChains, log.at(-1)!.position);
  range = new RecordedRange(views);
});
afterAll(() => cluster.close());

function createEventOfMinute(n: number): NewEvent {
  const { id, meta } = createChainedEvent(n);
  const data = { discountId: 'dsc_1', code: 'a' };
  return { id, type: 'DiscountCreated', data, meta: { ...meta, at: toTime(n) } };
}

function toTime(minute: number): string {
  return addMs(BEGIN, minute * MINUTE_MS);
}

function toPositions(recorded: { readonly from?: string; readonly to?: string }) {
  const context = { ...createContext('read'), business: BUSINESS, consistency: new ConsistencyContext() };
  return range.toPositions(context, { recorded_at: recorded });
}

describe('A range of times', () => {
  it.each([
    [0, 10],
    [1_500, 1_600],
    [999, 2_061],
    [2_000, 3_199],
  ])('contains all events from minute %i to minute %i, and few others', async (first, last) => {
    const { from = '', to = '~' } = await toPositions({ from: toTime(first), to: toTime(last) });
    const found = log.filter(({ position }) => position >= from && position <= to).map(({ meta }) => meta.at);

    expect(found).toEqual(expect.arrayContaining([toTime(first), toTime(last)]));
    expect(found.length).toBeLessThanOrEqual(last - first + 2 * (COPY_INTERVAL + MARGIN_EVENTS));
  });

  it('has no end where no event is outside', async () => {
    expect(await toPositions({})).toEqual({});
    expect(await toPositions({ from: toTime(30), to: toTime(EVENTS) })).toEqual({});
  });
});
