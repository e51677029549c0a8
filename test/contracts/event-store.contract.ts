import type { NewEvent } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { describeContract } from './contract.js';
import {
  catchConflict,
  collect,
  createCategory,
  createEvent,
  createEvents,
  flattenPages,
  pickIds,
  readFollowed,
  readPages,
} from './events.js';
import { describeFollowing } from './follow.js';
import { eachOpenStore, type OpenStoreFunction } from './open-store.js';

export function describeEventStore(name: string, open: OpenStoreFunction<EventStore>): void {
  describeContract(`The log on ${name}`, () => {
    const opened = eachOpenStore(open);
    let category: string;
    let stream: string;
    beforeEach(() => {
      category = createCategory();
      stream = `${category}-1`;
    });

    describe('appending', () => {
      it('gives revisions from 0 without gaps, and positions that grow', async () => {
        const first = await opened.store.append(stream, 'none', createEvents(2));
        const second = await opened.store.append(stream, 1, createEvents(3));

        expect([first.revision, second.revision]).toEqual([1, 4]);
        expect(second.position > first.position).toBe(true);
        expect((await collect(opened.store.readStream(stream))).map(({ revision }) => revision)).toEqual([
          0, 1, 2, 3, 4,
        ]);
      });

      it('returns correct positions of several events, if it returns them', async () => {
        const { position, positions = [] } = await opened.store.append(stream, 'none', createEvents(3));
        const kept = await collect(opened.store.readStream(stream));

        expect(kept.at(-1)!.position).toBe(position);
        if (positions.length > 0) expect(kept.map((one) => one.position)).toEqual(positions);
      });

      it('stores events unchanged', async () => {
        const given = createEvent(
          { name: 'naïve 😀', nothing: null, list: [1, 2.5], deep: { yes: true }, __proto: 'x' },
          'JarBroken',
        );
        const { position } = await opened.store.append(stream, 'none', [given]);

        expect(await collect(opened.store.readStream(stream))).toEqual([{ ...given, stream, revision: 0, position }]);
      });

      it('refuses an append with a wrong expected revision, and reports the actual one', async () => {
        await opened.store.append(stream, 'none', createEvents(2));

        for (const expected of ['none', 0, 2, 7] as const) {
          const refusal = await catchConflict(opened.store.append(stream, expected, createEvents(1)));
          expect({ ...refusal }).toMatchObject({ stream, expected, actual: 1 });
        }
        expect(await collect(opened.store.readStream(stream))).toHaveLength(2);
      });

      it('refuses an expected revision for a missing stream', async () => {
        expect({ ...(await catchConflict(opened.store.append(stream, 0, createEvents(1)))) }).toMatchObject({
          expected: 0,
          actual: 'none',
        });
      });

      it('refuses an empty list', async () => {
        await expect(opened.store.append(stream, 'none', [])).rejects.toThrow();
      });

      it('returns the first outcome for an identical append, even after later events', async () => {
        const given = createEvents(3);
        const first = await opened.store.append(stream, 'none', given);
        await opened.store.append(stream, 2, createEvents(1));

        expect(await opened.store.append(stream, 'none', given)).toEqual(first);
        expect(await collect(opened.store.readStream(stream))).toHaveLength(4);
      });

      it('does not treat events with other ids as a repetition', async () => {
        const [a, b] = createEvents(2) as [NewEvent, NewEvent];
        await opened.store.append(stream, 'none', [a, b]);

        for (const other of [
          [b, a],
          [a, createEvent()],
          [a, b, createEvent()],
        ])
          await catchConflict(opened.store.append(stream, 'none', other));
      });

      it('lets exactly one of several concurrent appends win at the same revision', async () => {
        const racers = await Promise.allSettled(
          createEvents(8).map((one) => opened.store.append(stream, 'none', [one])),
        );

        expect(racers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(await collect(opened.store.readStream(stream))).toHaveLength(1);
      });

      it('has every acknowledged event after it is opened again', async () => {
        const given = createEvents(3);
        await opened.store.append(stream, 'none', given);

        expect(pickIds(await collect((await opened.reopen()).readStream(stream)))).toEqual(pickIds(given));
      });
    });

    describe('reading a stream', () => {
      it('reads a missing stream as empty', async () => {
        expect(await collect(opened.store.readStream(stream))).toEqual([]);
        expect(await collect(opened.store.readStream(stream, { backwards: true }))).toEqual([]);
      });

      it('reads from a revision, backwards, and with a limit', async () => {
        const given = pickIds(createEvents(5));
        await opened.store.append(
          stream,
          'none',
          given.map((id) => ({ ...createEvent(), id })),
        );
        const read = async (options: Parameters<EventStore['readStream']>[1]) =>
          pickIds(await collect(opened.store.readStream(stream, options)));

        expect(await read({ from: 3 })).toEqual(given.slice(3));
        expect(await read({ from: 5 })).toEqual([]);
        expect(await read({ from: 1, limit: 2 })).toEqual(given.slice(1, 3));
        expect(await read({ backwards: true, limit: 2 })).toEqual([given[4], given[3]]);
        expect(await read({ backwards: true, from: 1 })).toEqual([given[1], given[0]]);
      });

      it('reads a long stream completely', async () => {
        const given = createEvents(1_203);
        await opened.store.append(stream, 'none', given);

        expect(pickIds(await collect(opened.store.readStream(stream)))).toEqual(pickIds(given));
        expect(pickIds(await collect(opened.store.readStream(stream, { backwards: true })))).toEqual(
          pickIds(given).reverse(),
        );
      });
    });

    describe('reading everything', () => {
      it('reads the log in order, page by page, forwards and backwards', async () => {
        const start = await opened.store.readHead();
        const given = [...createEvents(2), ...createEvents(2), ...createEvents(1)];
        await opened.store.append(stream, 'none', given.slice(0, 2));
        await opened.store.append(`${category}-2`, 'none', given.slice(2, 4));
        const { position: last } = await opened.store.append(stream, 1, given.slice(4));
        const filter = { prefixes: [`${category}-`] };

        expect(pickIds(await readPages(opened.store, start, 2))).toEqual(pickIds(given));
        expect(pickIds((await opened.store.readAll({ filter, backwards: true, limit: 3 })).events)).toEqual(
          pickIds(given).slice(2).reverse(),
        );
        const before = await opened.store.readAll({ filter, backwards: true, before: last, limit: 2 });
        expect(pickIds(before.events)).toEqual([given[3]!.id, given[2]!.id]);
        const rest = await opened.store.readAll({ filter, backwards: true, before: before.next, limit: 2 });
        expect(pickIds(rest.events)).toEqual([given[1]!.id, given[0]!.id]);
      });

      it('reads only streams with a prefix, and advances past other events', async () => {
        const start = await opened.store.readHead();
        const given = createEvents(2);
        await opened.store.append(`${category}a-1`, 'none', [given[0]!]);
        await opened.store.append(`${category}b-1`, 'none', [given[1]!]);
        await opened.store.append(`${category}-1`, 'none', createEvents(1));

        const filter = { prefixes: [`${category}a-`, `${category}b-`] };
        expect(pickIds(await readPages(opened.store, start, 1, filter))).toEqual(pickIds(given));
        const page = await opened.store.readAll({ after: start, filter: { prefixes: [`${category}%`] }, limit: 10 });
        expect(page.events).toEqual([]);
        expect(page.next > start).toBe(true);
      });

      it('returns its head', async () => {
        const { position } = await opened.store.append(stream, 'none', createEvents(2));

        expect(await opened.store.readHead()).toBe(position);
        const beyond = await opened.store.readAll({ after: position, limit: 1 });
        expect(beyond).toMatchObject({ events: [], caughtUp: true });
        expect(beyond.next >= position).toBe(true);
      });
    });

    describe('reading acknowledged events', () => {
      it('confirms a position that is not before any acknowledged append', async () => {
        for (let revision = -1; revision < 2; revision++) {
          const { position } = await opened.store.append(stream, revision < 0 ? 'none' : revision, createEvents(1));
          expect((await opened.store.confirmPosition()) >= position).toBe(true);
        }
      });

      it('includes acknowledged events at once in its streams, its log and its head', async () => {
        const filter = { prefixes: [`${category}-`] };
        for (let count = 1; count <= 10; count++) {
          const { position } = await opened.store.append(stream, count === 1 ? 'none' : count - 2, createEvents(1));
          expect(await collect(opened.store.readStream(stream))).toHaveLength(count);
          expect((await opened.store.readAll({ filter, backwards: true, limit: 1 })).events[0]!.position).toBe(
            position,
          );
          expect((await opened.store.readHead()) >= position).toBe(true);
        }
      });

      it('gives a follower that starts after the last append no earlier event', async () => {
        const { position } = await opened.store.append(stream, 'none', createEvents(2));
        const given = createEvents(1);
        await opened.store.append(stream, 1, given);

        expect(pickIds(flattenPages(await readFollowed(opened.store, { after: position }, 1)))).toEqual(pickIds(given));
      });
    });

    describeFollowing(opened);
  });
}
