import type { RecordedEvent } from '../../src/kernel/event.js';
import { collectionOf, type Projection, render, toDocumentIds } from '../../src/kernel/projection.js';
import { coinsAdded, createEvent, jarBroken, jars } from '../support/jar.js';

const recorded = (stream: string, ...events: ReturnType<typeof coinsAdded>[]) =>
  events.map((event, revision): RecordedEvent => ({ ...event, stream, revision, position: String(revision + 1) }));

describe('The documents that an event changes', () => {
  const both: Projection<{ id: string }> = {
    name: 'sides',
    version: 3,
    indexes: [],
    id: ({ type, data }) => (type === 'Moved' ? ['left', 'right'] : (data as { jarId: string | null }).jarId),
    on: { Moved: (document) => document, Named: (document) => document },
  };
  const idsOfOne = (type: string, data: object) =>
    toDocumentIds(both, recorded('side-1', createEvent('one', type, data))[0]!);

  it('can be one, several or zero', () => {
    expect(idsOfOne('Named', { jarId: 'a' })).toEqual(['a']);
    expect(idsOfOne('Moved', {})).toEqual(['left', 'right']);
    expect(idsOfOne('Named', { jarId: null })).toEqual([]);
  });

  it('are zero for a type that is missing in the map, even if an object inherits a property of that name', () => {
    expect(idsOfOne('Renamed', { jarId: 'a' })).toEqual([]);
    expect(idsOfOne('toString', { jarId: 'a' })).toEqual([]);
  });

  it('are in one collection per version', () => {
    expect(collectionOf(both)).toBe('sides@3');
  });
});

describe('A document rendered from a history', () => {
  it('contains the effect of its own events only', () => {
    const history = recorded('jar-a', coinsAdded('a', '1', 2), coinsAdded('b', '1', 10), coinsAdded('a', '2', 3));
    expect(render(jars, 'a', history)).toMatchObject({ id: 'a', coins: 5 });
  });

  it('fails when the history does not create the document, or deletes it', () => {
    expect(() => render(jars, 'a', [])).toThrow('contains no document a');
    expect(() => render(jars, 'a', recorded('jar-a', coinsAdded('a', '1'), jarBroken('a')))).toThrow(
      'contains no document a',
    );
  });
});
