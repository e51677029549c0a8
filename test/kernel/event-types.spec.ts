import type { Reactor } from '../../src/engine/registry.js';
import { typesOf } from '../../src/kernel/event.js';
import { COINS_ADDED, type CoinsAdded, JAR_TYPES, type JarEvent } from '../support/jar.js';

describe('The types of a union of events', () => {
  it('are the keys of the list', () => expect(JAR_TYPES).toEqual(['CoinsAdded', 'JarBroken']));

  it('compile only when each type of the union is listed, and no other', () => {
    // @ts-expect-error -- JarBroken is missing
    typesOf<JarEvent>({ CoinsAdded: true });
    // @ts-expect-error -- JarBroken is not an event of the union
    typesOf<CoinsAdded>({ CoinsAdded: true, JarBroken: true });
    // @ts-expect-error -- CoinsAdded is misspelled
    typesOf<CoinsAdded>({ CoinAdded: true });
    expect(COINS_ADDED).toEqual(['CoinsAdded']);
  });

  it('fit only a reactor of the same union', () => {
    const react = async () => undefined;
    // @ts-expect-error -- JarBroken is missing
    const some: Reactor<JarEvent> = { name: 'some', types: COINS_ADDED, react };
    // @ts-expect-error -- JarBroken is not an event of the union
    const more: Reactor<CoinsAdded> = { name: 'more', types: JAR_TYPES, react };
    // @ts-expect-error -- a list that typesOf has not made may be incomplete
    const list: Reactor<CoinsAdded> = { name: 'list', types: ['CoinsAdded'], react };
    expect([some, more, list].map(({ name }) => name)).toEqual(['some', 'more', 'list']);
  });
});
