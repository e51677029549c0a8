/*
 * What was once recorded can be read for ever. test/fixtures/events holds pieces of logs as services recorded them, an event a line, and
 * test/fixtures/folded what the deciders and projections make of each.
 *
 * For a new event type, or a new version of one, run with FREEZE=1 a spec whose service records it, and then this one:
 *   FREEZE=1 npm test -- test/webhooks/http/replay-jobs.spec.ts
 *   FREEZE=1 npm test -- test/historical-events.spec.ts
 * What no service of a spec records (what follows a crash, say), a spec can hand to `freezeNews` itself. Only what is missing is written.
 *
 * A file of test/fixtures/events is never changed. What is folded from it may change, with a decider's state or a projection's version:
 * look at the difference, remove the file from test/fixtures/folded, and freeze it anew.
 */
import type { Registry } from '../src/engine/registry.js';
import { categoryOfStream } from '../src/kernel/decider.js';
import type { Recorded } from '../src/kernel/event.js';
import { apply, idsOf } from '../src/kernel/projection.js';
import { upcast } from '../src/kernel/upcasting.js';
import { declaredEvents, gapsIn, typesIn, type AnyDecider } from './support/declared-events.js';
import { frozenFolds, frozenHistories, shapesIn } from './support/histories.js';
import { suiteRegistry } from './support/suite-registry.js';

const declared = await declaredEvents();
const histories = await frozenHistories();
const deciders = new Map(declared.deciders.map((decider) => [decider.category, decider]));

describe('What was once recorded', () => {
  const suite = suiteRegistry();

  it('is frozen in every type and version, and each older version has its upcaster', () => {
    expect(declared.types).toContain('BusinessCreated');
    expect(gapsIn(declared, shapesIn(histories), suite.registry.upcasters)).toEqual([]);
  });

  it.each(histories)('is read as it was: $name', async ({ name, events }) => {
    const upToDate = events.map((event) => upcast(event, suite.registry.upcasters));
    const folded = plain([...statesOf(upToDate), ...documentsOf(upToDate, suite.registry)]);

    expect(folded).toEqual(await frozenFolds(name, folded));
  });
});

describe('The look at what is frozen', () => {
  const jar = { category: 'jar', versions: { CoinsAdded: 2 } } as unknown as AnyDecider;
  const jars = { types: ['CoinsAdded'], deciders: [jar] };
  const inCents = { 'CoinsAdded@1': (event: Recorded) => event };

  it('finds the types that a text declares', () =>
    expect(typesIn(`Fact<'CoinsAdded', Coins> | Fact<\n  'JarBroken', {}>; claimsOf('jarName', 'JarNameClaimed')`)).toEqual([
      'CoinsAdded',
      'JarBroken',
      'JarNameClaimed',
    ]));

  it('misses the newest version', () =>
    expect(gapsIn(jars, new Set(['CoinsAdded@1']), inCents)).toEqual(['CoinsAdded@2 is in no history']));

  it('misses an older version', () => expect(gapsIn(jars, new Set(['CoinsAdded@2']), inCents)).toEqual(['CoinsAdded@1 is in no history']));

  it('misses an upcaster', () =>
    expect(gapsIn(jars, new Set(['CoinsAdded@1', 'CoinsAdded@2']), {})).toEqual(['CoinsAdded@1 has no upcaster']));

  it('misses a type that is gone', () =>
    expect(gapsIn({ types: [], deciders: [] }, new Set(['CoinsAdded@1']), {})).toEqual(['CoinsAdded@1 is no longer declared']));

  it('is content with all of them', () => expect(gapsIn(jars, new Set(['CoinsAdded@1', 'CoinsAdded@2']), inCents)).toEqual([]));
});

function statesOf(events: readonly Recorded[]): object[] {
  const states = new Map<string, unknown>();
  for (const event of events) {
    const decider = deciders.get(categoryOfStream(event.stream))!;
    states.set(event.stream, decider.evolve(states.has(event.stream) ? states.get(event.stream) : decider.initial, event));
  }
  return [...states].map(([stream, state]) => ({ stream, state }));
}

function documentsOf(events: readonly Recorded[], { projections }: Registry): object[] {
  return projections.flatMap((projection) => {
    const documents = new Map<string, object | null>();
    for (const event of events)
      for (const id of idsOf(projection, event)) documents.set(id, apply(projection, documents.get(id) ?? null, event));
    return [...documents].map(([id, document]) => ({ projection: projection.name, id, document }));
  });
}

/** As JSON, in which maps and sets are lists. */
function plain(folded: readonly object[]): object[] {
  const listed = (_: string, value: unknown) => (value instanceof Map || value instanceof Set ? ([...value] as unknown[]) : value);
  return JSON.parse(JSON.stringify(folded, listed)) as object[];
}
