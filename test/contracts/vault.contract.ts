import { newUuid } from '../../src/kernel/ids.js';
import type { Vault } from '../../src/kernel/vault.js';
import { describeContract } from './contract.js';
import { eachOpenStore, type OpenStoreFunction } from './open-store.js';

const ONE = Uint8Array.of(0, 1, 255);
const OTHER = Uint8Array.of(9);

export function describeVault(name: string, open: OpenStoreFunction<Vault>): void {
  describeContract(`The vault on ${name}`, () => {
    const opened = eachOpenStore(open);
    let id: string;
    beforeEach(() => {
      id = newUuid();
    });

    it('returns null for an unused id', async () => {
      expect(await opened.store.get(id)).toBeNull();
    });

    it('keeps the bytes, even after it is opened again', async () => {
      expect(toBytes(await opened.store.putIfAbsent(id, ONE))).toEqual([0, 1, 255]);

      expect(toBytes(await (await opened.reopen()).get(id))).toEqual([0, 1, 255]);
    });

    it('keeps and returns the first value of an id', async () => {
      await opened.store.putIfAbsent(id, ONE);

      expect(toBytes(await opened.store.putIfAbsent(id, OTHER))).toEqual([0, 1, 255]);
      expect(toBytes(await opened.store.get(id))).toEqual([0, 1, 255]);
    });

    it('returns the same value to several concurrent writers', async () => {
      const answers = await Promise.all(
        [1, 2, 3, 4].map((value) => opened.store.putIfAbsent(id, Uint8Array.of(value))),
      );

      expect(new Set(answers.map((answer) => toBytes(answer)!.join())).size).toBe(1);
    });

    it('replaces the bytes only when they equal the expected ones, and never a destroyed value', async () => {
      await opened.store.putIfAbsent(id, ONE);

      expect(await opened.store.replace(id, OTHER, OTHER)).toBe(false);
      expect(await opened.store.replace(id, ONE, OTHER)).toBe(true);
      expect(toBytes(await opened.store.get(id))).toEqual([9]);
      await opened.store.destroy(id);
      expect(await opened.store.replace(id, OTHER, ONE)).toBe(false);
      expect(await opened.store.get(id)).toBeNull();
    });

    it('destroys values permanently', async () => {
      await opened.store.putIfAbsent(id, ONE);
      await opened.store.destroy(id);
      await opened.store.destroy(id);

      expect(await opened.store.putIfAbsent(id, OTHER)).toBeNull();
      expect(await opened.store.get(id)).toBeNull();
    });

    it('stores nothing under an id that was destroyed before its first use', async () => {
      await opened.store.destroy(id);

      expect(await opened.store.putIfAbsent(id, ONE)).toBeNull();
      expect(await opened.store.get(id)).toBeNull();
    });

    it('lists stored and destroyed entries by id, page by page', async () => {
      const ids = ['a', 'b', 'c'].map((one) => `${id}${one}`);
      await opened.store.putIfAbsent(ids[2]!, ONE);
      await opened.store.putIfAbsent(ids[0]!, OTHER);
      await opened.store.destroy(ids[1]!);
      const first = await opened.store.listEntries(id, 2);
      const second = await opened.store.listEntries(ids[1]!, 1);

      expect([...first, ...second].map((entry) => [entry.id, toBytes(entry.encrypted)])).toEqual([
        [ids[0], [9]],
        [ids[1], null],
        [ids[2], [0, 1, 255]],
      ]);
    });
  });
}

function toBytes(value: Uint8Array | null): number[] | null {
  return value && [...value];
}
