import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyMismatch, verifyKeys } from '../../../src/engine/encryption/key-check.js';
import { Keys } from '../../../src/engine/encryption/keys.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import { type EmbeddedStores, openEmbedded } from '../../../src/stores/embedded/embedded.js';

const keys = (master: string, pepper: string) => new Keys(Buffer.alloc(32, master), Buffer.alloc(32, pepper));

describe('The keys of a store', () => {
  let folder: string;
  let stores: EmbeddedStores;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    stores = await openEmbedded({ file: join(folder, 'store.sqlite'), clock: new SystemClock() });
    await verifyKeys(stores.vault, keys('m', 'p'));
  });

  afterAll(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });

  it('are accepted when they are those of its first start', () =>
    expect(verifyKeys(stores.vault, keys('m', 'p'))).resolves.toBeUndefined());

  it('are refused with another master key', () =>
    expect(verifyKeys(stores.vault, keys('x', 'p'))).rejects.toEqual(new KeyMismatch('MASTER_KEY')));

  it('are refused with another pepper', () =>
    expect(verifyKeys(stores.vault, keys('m', 'x'))).rejects.toEqual(new KeyMismatch('KEY_PEPPER')));
});
