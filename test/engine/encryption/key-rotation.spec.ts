import { encryptWithKeyId } from '../../../src/engine/encryption/aes-gcm.js';
import { encryptAgain } from '../../../src/engine/encryption/encrypt-again.js';
import { KeyMismatch, verifyKeys } from '../../../src/engine/encryption/key-check.js';
import { Keys } from '../../../src/engine/encryption/keys.js';
import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { Secrets } from '../../../src/engine/encryption/secrets.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryVault } from '../../support/memory/vault.js';

const [OLD, NEW, OLD_PEPPER, NEW_PEPPER] = ['o', 'n', 'p', 'q'].map((letter) => Buffer.alloc(32, letter)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
const before = new Keys(OLD, OLD_PEPPER);
const after = new Keys(NEW, NEW_PEPPER, { masters: [OLD], peppers: [OLD_PEPPER] });
const rotated = new Keys(NEW, NEW_PEPPER, { peppers: [OLD_PEPPER] });
const NEVER = new AbortController().signal;

describe('A master key that replaces another', () => {
  let vault: MemoryVault;
  beforeEach(async () => {
    vault = new MemoryVault();
    await verifyKeys(vault, before);
    await new Secrets(vault, before).store('whs_1:1', 'whsec_first');
  });

  it('is refused without the earlier one, which the error names', async () => {
    await expect(verifyKeys(vault, rotated)).rejects.toEqual(new KeyMismatch('MASTER_KEY'));
    expect(new KeyMismatch('MASTER_KEY').message).toContain('MASTER_KEY_PREVIOUS');
  });

  it('decrypts what the earlier one has encrypted', async () => {
    await verifyKeys(vault, after);

    expect(await new Secrets(vault, after).read('whs_1:1')).toBe('whsec_first');
  });

  it('decrypts what earlier versions encrypted with the master key itself', async () => {
    await vault.putIfAbsent('secret:direct', encryptWithKeyId(OLD, 'secret:direct', Buffer.from('whsec_direct')));

    expect(await new Secrets(vault, after).read('direct')).toBe('whsec_direct');
  });

  it('works without the earlier one once the vault is encrypted again, which keeps destroyed entries', async () => {
    await vault.destroy('secret:gone');
    const counts: number[] = [];
    const first = await encryptAgain(vault, after, ({ encrypted: count }) => counts.push(count), NEVER);

    expect([first, counts]).toEqual([{ encrypted: 2, unchanged: 1 }, [2]]);
    expect(await encryptAgain(vault, after, () => undefined, NEVER)).toEqual({ encrypted: 0, unchanged: 3 });
    await verifyKeys(vault, rotated);
    expect(await new Secrets(vault, rotated).read('whs_1:1')).toBe('whsec_first');
    expect(await vault.get('secret:gone')).toBeNull();
  });
});

describe('A pepper that replaces another', () => {
  it('is refused without the first one of the store', async () => {
    const vault = new MemoryVault();
    await verifyKeys(vault, before);

    await expect(verifyKeys(vault, new Keys(OLD, NEW_PEPPER))).rejects.toEqual(new KeyMismatch('KEY_PEPPER'));
    await verifyKeys(vault, after);
  });

  it('finds an address by the same hash, and decrypts its text', async () => {
    const [vault, clock] = [new MemoryVault(), new ManualClock()];
    const [first, second] = [new PersonalFields(vault, before, clock), new PersonalFields(vault, after, clock)];
    const encrypted = await first.encryptEmail('ann@example.com');

    expect(second.hash('ann@example.com')).toBe(encrypted.hash);
    expect(await second.decrypt({ old: encrypted, new: await second.encryptEmail('ann@example.com') })).toEqual({
      old: 'ann@example.com',
      new: 'ann@example.com',
    });
  });
});

describe('Data that is encrypted in volume', () => {
  it('has a separate key for each purpose', () => {
    const encrypted = before.encrypt('captures:2026-02-01', 'batch', Buffer.from('answers'));

    expect(before.decrypt('captures:2026-02-01', 'batch', encrypted).toString()).toBe('answers');
    expect(() => before.decrypt('captures:2026-02-02', 'batch', encrypted)).toThrow(
      'encrypted with another master key',
    );
  });

  it('is refused with a truncated tag', () => {
    const encrypted = before.encrypt('vault', 'secret:1', Buffer.from('whsec'));

    expect(() => before.decrypt('vault', 'secret:1', encrypted.subarray(0, 20))).toThrow(/authentication tag/);
  });
});
