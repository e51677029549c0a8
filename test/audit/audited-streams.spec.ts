import { findResourceKind, toShownFields } from '../../src/audit/history/audited-resources.js';
import { HIDDEN_DATA, toVisibleData } from '../../src/audit/history/visible-data.js';
import { AUDITED_STREAMS } from '../../src/features.js';
import { toResourceReference } from '../../src/kernel/audited-stream.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { renderOrNull } from '../../src/kernel/projection.js';
import { upcast } from '../../src/kernel/upcasting.js';
import { findDeclaredEvents } from '../support/declared-events.js';
import { readHistories } from '../support/histories.js';
import { setUpSuiteRegistry } from '../support/suite-registry.js';

const SECRET_NAME = /token|secret|hash|password|subject$/i;

const declared = await findDeclaredEvents();
const histories = await readHistories();
const namings = new Map(AUDITED_STREAMS.flatMap((stream) => Object.entries(stream.namings)));
const toReferenceOf = (event: RecordedEvent) => toResourceReference(namings.get(event.type)!, event);

describe('The audited streams', () => {
  it('contain every decider once, with all its event types', () => {
    const audited = AUDITED_STREAMS.map((stream) => [stream.category, Object.keys(stream.namings).sort()]);
    const recorded = declared.deciders.map(({ category, versions }) => [category, Object.keys(versions).sort()]);
    expect(sortByCategory(audited)).toEqual(sortByCategory(recorded));
  });

  it('have one kind of resource for each name', () => {
    const resources = new Set([...namings.values()].map(({ resource }) => resource));
    expect(resources.size).toBe(new Set([...resources].map(({ object }) => object)).size);
  });
});

describe('Each recorded history', () => {
  const suite = setUpSuiteRegistry();
  const upToDate = (events: readonly RecordedEvent[]) => events.map((event) => upcast(event, suite.registry.upcasters));

  it.each(histories)('names a resource for every event: $name', ({ events }) => {
    const unnamed = upToDate(events).filter((event) => !/^\S+$/.test(toReferenceOf(event).id ?? ''));
    expect(unnamed.map(({ type }) => type)).toEqual([]);
  });

  it.each(histories)('shows no secret: $name', ({ events }) => {
    const shown = upToDate(events).flatMap(({ data }) => listKeys(toVisibleData(data)));
    expect(shown.filter((key) => SECRET_NAME.test(key))).toEqual([]);
    expect(HIDDEN_DATA.every((key) => SECRET_NAME.test(key))).toBe(true);
  });

  it.each(histories)('gives the resources that the read models show: $name', ({ events }) => {
    const log = upToDate(events);
    const differences = listResources(log).flatMap(({ object, id }) => {
      const kind = findResourceKind(object)!;
      const own = log.filter((event) =>
        kind.category === null ? toReferenceOf(event).id === id : event.stream === `${kind.category}-${id}`,
      );
      const [audited, projected] = [own, log].map((part) =>
        toShownFields(kind, renderOrNull(kind.projection, id, part)),
      );
      return JSON.stringify(audited) === JSON.stringify(projected) ? [] : [{ object, id, audited, projected }];
    });
    expect(differences).toEqual([]);
  });
});

function listResources(log: readonly RecordedEvent[]) {
  const references = new Map(log.map((event) => [toReferenceOf(event).id, toReferenceOf(event)]));
  return [...references.values()].filter(({ object }) => findResourceKind(object) !== null);
}

function listKeys(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('box' in value && 'hash' in value) return [];
  const inner = Object.entries(value).flatMap(([name, content]) => (name === 'metadata' ? [] : listKeys(content)));
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

function sortByCategory(streams: readonly (readonly unknown[])[]): readonly unknown[] {
  return streams.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
