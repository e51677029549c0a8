import { DatabaseLog, type Proposed } from './log.js';

/** What a client can count on when it repeats itself, as a real server has it. */
describe('The log of the EventStoreDB in this process', () => {
  const log = new DatabaseLog();
  const proposed = (...ids: string[]): Proposed[] =>
    ids.map((id) => ({ id, type: 'CoinsAdded', contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.from('{}') }));

  it('answers what it has at that revision as the first time, also the beginning of it, and writes nothing', () => {
    const first = log.append('jar-1', -1, proposed('a', 'b', 'c'));
    log.append('jar-1', 2, proposed('d'));

    expect(log.append('jar-1', -1, proposed('a', 'b', 'c'))).toEqual(first);
    expect(log.append('jar-1', -1, proposed('a', 'b'))).toMatchObject({ revision: 1 });
    expect(log.append('jar-1', 0, proposed('b', 'c', 'd'))).toMatchObject({ revision: 3 });
    expect(log.stream('jar-1')).toHaveLength(4);
  });

  it('refuses more than it has, another order and other ids', () => {
    for (const other of [
      ['a', 'b', 'c', 'd', 'e'],
      ['b', 'a'],
      ['a', 'x'],
    ])
      expect(log.append('jar-1', -1, proposed(...other))).toEqual({ wrong: 3 });
    expect(log.append('jar-1', 9, proposed('e'))).toEqual({ wrong: 3 });
  });

  it('writes the same ids again at the revision that is current', () => {
    expect(log.append('jar-1', 3, proposed('d'))).toMatchObject({ revision: 4 });
    expect(log.stream('jar-1').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'd']);
  });
});
