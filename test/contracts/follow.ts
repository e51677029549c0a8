import type { NewEvent } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import { collect, createCategory, createEvents, flattenPages, pickIds, readFollowed } from './events.js';
import type { OpenStore } from './open-store.js';

export function describeFollowing(opened: OpenStore<EventStore>): void {
  describe('following', () => {
    let category: string;
    let stream: string;
    beforeEach(() => {
      category = createCategory();
      stream = `${category}-1`;
    });

    it('yields existing and then new events, in order and once', async () => {
      const after = await opened.store.readHead();
      const given = createEvents(4);
      await opened.store.append(stream, 'none', given.slice(0, 2));
      const more = () => opened.store.append(stream, 1, given.slice(2));

      const seen = await readFollowed(opened.store, { after }, 4, more);

      expect(pickIds(flattenPages(seen))).toEqual(pickIds(given));
      expect(seen.at(-1)!.caughtUp).toBe(true);
      expect(seen.at(-1)!.next).toBe(await opened.store.readHead());
    });

    it('limits pages to the requested size', async () => {
      const after = await opened.store.readHead();
      await opened.store.append(stream, 'none', createEvents(7));

      const seen = await readFollowed(opened.store, { after, pageSize: 3 }, 7);

      expect(flattenPages(seen)).toHaveLength(7);
      expect(Math.max(...seen.map((page) => page.events.length))).toBe(3);
      expect(seen.map((page) => page.caughtUp)).toEqual([...seen.slice(1).map(() => false), true]);
    });

    it('yields only events of the requested streams', async () => {
      const after = await opened.store.readHead();
      const [mine, other] = createEvents(2) as [NewEvent, NewEvent];
      await opened.store.append(`${category}other-1`, 'none', [other]);
      await opened.store.append(stream, 'none', [mine]);

      expect(
        pickIds(flattenPages(await readFollowed(opened.store, { after, filter: { prefixes: [`${category}-`] } }, 1))),
      ).toEqual([mine.id]);
    });

    it('continues after the last page of another follower', async () => {
      const after = await opened.store.readHead();
      const given = createEvents(5);
      await opened.store.append(stream, 'none', given);

      const first = (await readFollowed(opened.store, { after, pageSize: 2 }, 1))[0]!;
      const rest = await readFollowed(opened.store, { after: first.next }, 3);

      expect(pickIds([...first.events, ...flattenPages(rest)])).toEqual(pickIds(given));
    });

    it('ends when its signal aborts, even while it waits', async () => {
      const end = new AbortController();
      const waiting = collect(opened.store.follow({ after: await opened.store.readHead() }, end.signal));
      setImmediate(() => end.abort());

      expect(flattenPages(await waiting)).toEqual([]);
    });
  });
}
