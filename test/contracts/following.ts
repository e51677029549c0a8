import type { EventStore } from '../../src/kernel/event-store.js';
import type { NewEvent } from '../../src/kernel/event.js';
import { all, events, eventsOf, followed, ids, newCategory } from './events.js';
import type { Opened } from './opened.js';

export function following(opened: Opened<EventStore>): void {
  describe('following', () => {
    let category: string;
    let stream: string;
    beforeEach(() => {
      category = newCategory();
      stream = `${category}-1`;
    });

    it('yields existing and then new events, in order and once', async () => {
      const after = await opened.store.head();
      const given = events(4);
      await opened.store.append(stream, 'none', given.slice(0, 2));
      const more = () => opened.store.append(stream, 1, given.slice(2));

      const seen = await followed(opened.store, { after }, 4, more);

      expect(ids(eventsOf(seen))).toEqual(ids(given));
      expect(seen.at(-1)!.caughtUp).toBe(true);
      expect(seen.at(-1)!.next).toBe(await opened.store.head());
    });

    it('limits pages to the requested size', async () => {
      const after = await opened.store.head();
      await opened.store.append(stream, 'none', events(7));

      const seen = await followed(opened.store, { after, max: 3 }, 7);

      expect(eventsOf(seen)).toHaveLength(7);
      expect(Math.max(...seen.map((page) => page.events.length))).toBe(3);
      expect(seen.map((page) => page.caughtUp)).toEqual([...seen.slice(1).map(() => false), true]);
    });

    it('yields only events of the requested streams', async () => {
      const after = await opened.store.head();
      const [mine, other] = events(2) as [NewEvent, NewEvent];
      await opened.store.append(`${category}other-1`, 'none', [other]);
      await opened.store.append(stream, 'none', [mine]);

      expect(ids(eventsOf(await followed(opened.store, { after, filter: { prefixes: [`${category}-`] } }, 1)))).toEqual([mine.id]);
    });

    it('continues after the last page of another follower', async () => {
      const after = await opened.store.head();
      const given = events(5);
      await opened.store.append(stream, 'none', given);

      const first = (await followed(opened.store, { after, max: 2 }, 1))[0]!;
      const rest = await followed(opened.store, { after: first.next }, 3);

      expect(ids([...first.events, ...eventsOf(rest)])).toEqual(ids(given));
    });

    it('ends when its signal aborts, even while it waits', async () => {
      const end = new AbortController();
      const waiting = all(opened.store.follow({ after: await opened.store.head() }, end.signal));
      setImmediate(() => end.abort());

      expect(eventsOf(await waiting)).toEqual([]);
    });
  });
}
