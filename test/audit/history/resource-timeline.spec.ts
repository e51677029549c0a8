import { findResourceKind, type ResourceKind, toShownFields } from '../../../src/audit/history/audited-resources.js';
import { ResourceBaselines } from '../../../src/audit/history/resource-baselines.js';
import { BASELINE_EVENTS, ResourceTimeline } from '../../../src/audit/history/resource-timeline.js';
import { Baselines } from '../../../src/engine/streams/baselines.js';
import { AUDITED_STREAMS } from '../../../src/features.js';
import { extractCategory, extractId } from '../../../src/kernel/decider.js';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event.js';
import { renderOrNull } from '../../../src/kernel/projection.js';
import { upcast } from '../../../src/kernel/upcasting.js';
import { EagerClock } from '../../support/clock.js';
import { readHistories } from '../../support/histories.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { setUpSuiteRegistry } from '../../support/suite-registry.js';

const histories = await readHistories();
const owners = new Map(AUDITED_STREAMS.map(({ category, owner }) => [category, owner]));

/** Returns the kind of resource whose own stream this is; null for streams of other resources. */
function findOwner(stream: string): ResourceKind | null {
  const owner = owners.get(extractCategory(stream)) ?? null;
  return owner === null ? null : findResourceKind(owner.object);
}

async function* iterate(events: readonly RecordedEvent[]): AsyncGenerator<RecordedEvent, void> {
  for (const event of events) yield await Promise.resolve(event);
}

const openTimeline = (kind: ResourceKind, id: string, events: readonly RecordedEvent[]) =>
  new ResourceTimeline({ kind, id, document: null, events: iterate(events), save: () => undefined });

describe('A resource as of any position', () => {
  const suite = setUpSuiteRegistry();

  it('is tested for every kind of resource with streams of its own', () => {
    const streams = histories.flatMap(({ events }) => events.map(({ stream }) => extractCategory(stream)));
    const shown = [...owners].filter(([, owner]) => owner !== null && findResourceKind(owner.object) !== null);
    const untested = shown.map(([category]) => category).filter((category) => !streams.includes(category));

    expect(shown.length).toBeGreaterThan(10);
    expect(untested).toEqual([]);
  });

  it.each(histories)('is the fold of the log up to it: $name', async ({ events }) => {
    const log = events.map((event) => upcast(event, suite.registry.upcasters));
    for (const [stream, own] of Map.groupBy(log, (event) => event.stream)) {
      const kind = findOwner(stream);
      if (kind === null) continue;
      const timeline = openTimeline(kind, extractId(stream), own);
      for (const { position } of log) {
        await timeline.advanceThrough(position);
        const upTo = own.filter((event) => event.position <= position);
        expect(timeline.shown).toEqual(toShownFields(kind, renderOrNull(kind.projection, extractId(stream), upTo)));
      }
    }
  });
});

describe('A resource with thousands of events', () => {
  const kind = findResourceKind('product')!;
  const id = 'prod_1';
  const stream = `product-${id}`;
  const created = toEvent(0, 'ProductCreated', {
    productId: id,
    businessId: 'biz_1',
    mode: 'live',
    name: 'Product 0',
    description: null,
    metadata: {},
    externalReference: null,
    plans: [],
    at: toTime(0),
  });
  const toEdit = (n: number) =>
    toEvent(n, 'ProductEdited', {
      productId: id,
      changes: { name: `Product ${n}` },
      sellerStatus: 'active',
      status: 'active',
      revision: n,
      at: toTime(n),
    });

  async function recordEvents(count: number) {
    const store = new MemoryEventStore(new EagerClock());
    const events = [created, ...Array.from({ length: count - 1 }, (_, i) => toEdit(i + 1))];
    await store.append(stream, 'none', events);
    const readModels = new MemoryReadModels(new EagerClock());
    const baselines = new ResourceBaselines(new Baselines(readModels), store);
    const open = async (isWanted: (position: string) => boolean) => {
      const stored = await baselines.findLast(kind, stream, ({ position }) => isWanted(position));
      const from = (stored?.revision ?? -1) + 1;
      const timeline = new ResourceTimeline({
        kind,
        id,
        document: stored?.document ?? null,
        events: store.readStream(stream, { from })[Symbol.asyncIterator]() as AsyncIterator<RecordedEvent, void>,
        save: (event, document) => baselines.save(kind, event, document),
      });
      return { from, timeline };
    };
    return { store, open };
  }

  it('is folded from the last stored document before the moment', async () => {
    const { store, open } = await recordEvents(3 * BASELINE_EVENTS + 10);
    const first = await open(() => true);
    await first.timeline.advanceWhile(() => true);

    const { events } = await store.readAll({ limit: 10_000 });
    for (const revision of [BASELINE_EVENTS - 2, BASELINE_EVENTS - 1, 2 * BASELINE_EVENTS + 3]) {
      const { position } = events[revision]!;
      const { from, timeline } = await open((moment) => moment <= position);
      await timeline.advanceThrough(position);
      expect(from).toBe(Math.floor((revision + 1) / BASELINE_EVENTS) * BASELINE_EVENTS);
      expect(timeline.shown).toMatchObject({ id, name: `Product ${revision}` });
    }
  });

  it('is prepared by several requests, each of which folds a bounded number of events', async () => {
    const { open } = await recordEvents(12_000);
    for (const start of [0, 5_000, 10_000]) {
      const { from, timeline } = await open(() => true);
      expect(from).toBe(start);
      const folded = timeline.advanceWhile(() => true);
      await (start === 10_000 ? folded : expect(folded).rejects.toThrow('repeat the request'));
    }
  });
});

function toTime(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n).toISOString();
}

function toEvent(n: number, type: string, data: object): NewEvent {
  const commandId = `command-${n}`;
  const meta = {
    at: toTime(n),
    command: 'EditProduct',
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor: { type: 'api_key', id: 'key_1' },
    business: 'biz_1',
    mode: 'live',
    requestId: null,
    v: 1,
  } as const;
  return { id: `event-${n}`, type, data, meta };
}
