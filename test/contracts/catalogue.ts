import type { BuildCatalogue } from '../../src/kernel/build-catalogue.js';
import { newUuid } from '../../src/kernel/ids.js';
import type { OpenStore } from './open-store.js';

export function describeCatalogue(opened: OpenStore<BuildCatalogue>): void {
  describe('the catalogue', () => {
    let name: string;
    beforeEach(() => {
      name = `orders${newUuid()}@1`;
    });

    const entry = async (wanted = name) => (await opened.store.listEntries()).find((one) => one.name === wanted);

    it('is empty at first, and then has the written entry', async () => {
      expect(await entry()).toBeUndefined();
      expect(await opened.store.compareAndSetEntry(name, 0, { active: null, builds: [{ n: 1 }] })).toBe(true);
      expect(await entry()).toEqual({ name, revision: 1, value: { active: null, builds: [{ n: 1 }] } });
    });

    it('replaces an entry only for a writer that has read its last revision', async () => {
      await opened.store.compareAndSetEntry(name, 0, { active: null, paused: true });
      expect(await opened.store.compareAndSetEntry(name, 0, { active: 7 })).toBe(false);
      expect(await opened.store.compareAndSetEntry(name, 2, { active: 7 })).toBe(false);
      expect(await opened.store.compareAndSetEntry(name, 1, { active: 1 })).toBe(true);
      expect(await opened.store.compareAndSetEntry(name, 1, { active: 8 })).toBe(false);

      expect(await entry()).toEqual({ name, revision: 2, value: { active: 1 } });
    });

    it('lets exactly one of several concurrent writers win each change', async () => {
      for (const revision of [0, 1, 2]) {
        const all = await Promise.all(
          Array.from({ length: 8 }, (_, by) => opened.store.compareAndSetEntry(name, revision, { by })),
        );
        expect(all.filter((won) => won)).toHaveLength(1);
        expect(await entry()).toEqual({ name, revision: revision + 1, value: { by: all.indexOf(true) } });
      }
    });

    it('lists its entries by name', async () => {
      const names = ['c', 'a', 'b'].map((letter) => `${letter}${newUuid()}@1`);
      for (const one of names) await opened.store.compareAndSetEntry(one, 0, {});

      const listed = (await opened.store.listEntries()).map((one) => one.name);
      expect(listed.filter((one) => names.includes(one))).toEqual(names.toSorted());
      expect(listed).toEqual(listed.toSorted());
    });

    it('has every acknowledged entry after it is opened again', async () => {
      await opened.store.compareAndSetEntry(name, 0, { active: 1 });
      const store = await opened.reopen();

      expect((await store.listEntries()).find((one) => one.name === name)).toEqual({
        name,
        revision: 1,
        value: { active: 1 },
      });
    });
  });
}
