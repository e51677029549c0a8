import { DatabaseLog, type ProposedEvent } from './log.js';

/** The guarantees of a real server for a client that repeats an append. */
describe('The in-process EventStoreDB log', () => {
  const log = new DatabaseLog();
  const proposed = (...ids: string[]): ProposedEvent[] =>
    ids.map((id) => ({
      id,
      type: 'CoinsAdded',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: Buffer.from('{}'),
    }));

  it('answers a repeated append, or the start of one, as the first time and writes nothing', () => {
    const first = log.append('jar-1', -1, proposed('a', 'b', 'c'));
    log.append('jar-1', 2, proposed('d'));

    expect(log.append('jar-1', -1, proposed('a', 'b', 'c'))).toEqual(first);
    expect(log.append('jar-1', -1, proposed('a', 'b'))).toMatchObject({ revision: 1 });
    expect(log.append('jar-1', 0, proposed('b', 'c', 'd'))).toMatchObject({ revision: 3 });
    expect(log.readStream('jar-1')).toHaveLength(4);
  });

  it('refuses a repetition with more events, another order or other ids', () => {
    for (const other of [
      ['a', 'b', 'c', 'd', 'e'],
      ['b', 'a'],
      ['a', 'x'],
    ])
      expect(log.append('jar-1', -1, proposed(...other))).toEqual({ wrong: 3 });
    expect(log.append('jar-1', 9, proposed('e'))).toEqual({ wrong: 3 });
  });

  it('writes the same ids again at the current revision', () => {
    expect(log.append('jar-1', 3, proposed('d'))).toMatchObject({ revision: 4 });
    expect(log.readStream('jar-1').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'd']);
  });
});
