/*
 * The service must read every event that it ever recorded. test/fixtures/events contains parts of recorded logs, one
 * event
 * per line; test/fixtures/folded contains the states and documents folded from each.
 *
 * For a new event type or version, run a spec whose service records it with FREEZE=1, and then this spec:
 *   FREEZE=1 npm test -- test/webhooks/http/replay-jobs.spec.ts
 *   FREEZE=1 npm test -- test/historical-events.spec.ts
 * For events that no spec's service records (for example after a crash), a spec can call `freezeNewEvents` itself. Only
 * missing fixtures are written.
 *
 * A file of test/fixtures/events never changes. A fold may change with a decider's state or a projection's version:
 * review
 * the difference, delete the file from test/fixtures/folded, and freeze it again.
 */
import { auditChains } from '../src/audit/projections/audit-chains.js';
import { auditEvents } from '../src/audit/projections/audit-events.js';
import type { Registry } from '../src/engine/registry.js';
import { extractCategory } from '../src/kernel/decider.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import { apply, toDocumentIds } from '../src/kernel/projection.js';
import { upcast } from '../src/kernel/upcasting.js';
import { type AnyDecider, findDeclaredEvents, findGaps, parseEventTypes } from './support/declared-events.js';
import { collectVersionedTypes, readHistories, readOrFreezeFolds } from './support/histories.js';
import { setUpSuiteRegistry } from './support/suite-registry.js';

const declared = await findDeclaredEvents();
const histories = await readHistories();
const deciders = new Map(declared.deciders.map((decider) => [decider.category, decider]));

describe('The set of event fixtures', () => {
  const suite = setUpSuiteRegistry();

  it('covers every event type and version, with an upcaster for each older version', () => {
    expect(declared.types).toContain('BusinessCreated');
    expect(findGaps(declared, collectVersionedTypes(histories), suite.registry.upcasters)).toEqual([]);
  });

  it.each(histories)('gives the same states and documents: $name', async ({ name, events }) => {
    const upToDate = events.map((event) => upcast(event, suite.registry.upcasters));
    const folded = plain([...statesOf(upToDate), ...documentsOf(upToDate, suite.registry)]);

    expect(sortFolds(folded)).toEqual(sortFolds(await readOrFreezeFolds(name, folded)));
  });

  it.each(histories)('gives each document of a projection that only inserts one event: $name', ({ events }) => {
    const inserting = suite.registry.projections.filter(({ insertOnly }) => insertOnly);
    expect(inserting).toContain(auditEvents);
    for (const projection of inserting) {
      const ids = events.flatMap((event) => toDocumentIds(projection, upcast(event, suite.registry.upcasters)));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe('The fixture check', () => {
  const jar = { category: 'jar', versions: { CoinsAdded: 2 } } as unknown as AnyDecider;
  const jars = { types: ['CoinsAdded'], deciders: [jar] };
  const inCents = { 'CoinsAdded@1': (event: RecordedEvent) => event };

  it('finds the event types that a source text declares', () =>
    expect(
      parseEventTypes(
        `Fact<'CoinsAdded' | 'CoinsTaken', Coins> | Fact<\n  'JarBroken', {}>; createClaims('jarName', 'JarNameClaimed')`,
      ),
    ).toEqual(['CoinsAdded', 'CoinsTaken', 'JarBroken', 'JarNameClaimed']));

  it('reports a missing newest version', () =>
    expect(findGaps(jars, new Set(['CoinsAdded@1']), inCents)).toEqual(['CoinsAdded@2 is in no history']));

  it('reports a missing older version', () =>
    expect(findGaps(jars, new Set(['CoinsAdded@2']), inCents)).toEqual(['CoinsAdded@1 is in no history']));

  it('reports a missing upcaster', () =>
    expect(findGaps(jars, new Set(['CoinsAdded@1', 'CoinsAdded@2']), {})).toEqual(['CoinsAdded@1 has no upcaster']));

  it('reports a type that is no longer declared', () =>
    expect(findGaps({ types: [], deciders: [] }, new Set(['CoinsAdded@1']), {})).toEqual([
      'CoinsAdded@1 is no longer declared',
    ]));

  it('accepts complete fixtures', () =>
    expect(findGaps(jars, new Set(['CoinsAdded@1', 'CoinsAdded@2']), inCents)).toEqual([]));
});

function statesOf(events: readonly RecordedEvent[]): object[] {
  const states = new Map<string, unknown>();
  for (const event of events) {
    const decider = deciders.get(extractCategory(event.stream))!;
    states.set(
      event.stream,
      decider.evolve(states.has(event.stream) ? states.get(event.stream) : decider.initial, event),
    );
  }
  return [...states].map(([stream, state]) => ({ stream, state }));
}

function documentsOf(events: readonly RecordedEvent[], { projections }: Registry): object[] {
  // The audit index has the same entry for every event.
  const folded = projections.filter((projection) => projection !== auditEvents && projection !== auditChains);
  return folded.flatMap((projection) => {
    const documents = new Map<string, object | null>();
    for (const event of events)
      for (const id of toDocumentIds(projection, event))
        documents.set(id, apply(projection, documents.get(id) ?? null, event, id));
    return [...documents].map(([id, document]) => ({ projection: projection.name, id, document }));
  });
}

/** The order of the projections is that of the modules, which does not matter. */
function sortFolds(folds: readonly unknown[]): unknown[] {
  const keyOf = ({ stream = '', projection = '', id = '' }: Record<string, unknown>) => [stream, projection, id].join();
  return (folds as Record<string, unknown>[]).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Converts to JSON, with maps and sets as arrays. */
function plain(folded: readonly object[]): object[] {
  const listed = (_: string, value: unknown) =>
    value instanceof Map || value instanceof Set ? ([...value] as unknown[]) : value;
  return JSON.parse(JSON.stringify(folded, listed)) as object[];
}
