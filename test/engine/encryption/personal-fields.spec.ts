import { Keys } from '../../../src/engine/encryption/keys.js';
import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { Secrets } from '../../../src/engine/encryption/secrets.js';
import { scopedSubjectOfBox } from '../../../src/engine/encryption/subject-names.js';
import { subjectOfBox } from '../../../src/kernel/encrypted-field.js';
import { Vault, type VaultEntry } from '../../../src/kernel/vault.js';
import { ManualClock } from '../../support/clock.js';

/** A vault in memory. */
class MemoryVault extends Vault {
  /** Each destruction waits for it. */
  destroying: Promise<void> = Promise.resolve();
  private readonly kept = new Map<string, Uint8Array | null>();

  async putIfAbsent(id: string, encrypted: Uint8Array): Promise<Uint8Array | null> {
    if (!this.kept.has(id)) this.kept.set(id, encrypted);
    return this.kept.get(id)!;
  }

  async get(id: string): Promise<Uint8Array | null> {
    return this.kept.get(id) ?? null;
  }

  async replace(id: string, _: Uint8Array, after: Uint8Array): Promise<boolean> {
    this.kept.set(id, after);
    return true;
  }

  async destroy(id: string): Promise<void> {
    await this.destroying;
    this.kept.set(id, null);
  }

  async listEntries(): Promise<VaultEntry[]> {
    return [...this.kept].map(([id, encrypted]) => ({ id, encrypted }));
  }

  get everything(): string {
    return Buffer.concat([...this.kept.values()].map((value) => value ?? new Uint8Array())).toString('latin1');
  }
}

const keys = new Keys(Buffer.alloc(32, 1), Buffer.alloc(32, 2));
let vault: MemoryVault;
let clock: ManualClock;
let personal: PersonalFields;
beforeEach(() => {
  [vault, clock] = [new MemoryVault(), new ManualClock()];
  personal = new PersonalFields(vault, keys, clock);
});

const encryptIn = (scope: string) => personal.encryptEmail('ann@example.com', scope);
const forget = (email: string) => vault.destroy(`subject:${personal.subjectOf(email)}`);

describe('A personal field', () => {
  it('opens to the decrypted text at any depth', async () => {
    const email = await personal.encryptEmail(' Ann@example.com');
    const name = await personal.encrypt('ann@example.com', 'Ann Ö.');
    const document = { id: '1', buyer: { email, name }, all: [email, null, 5, 'x'] };

    expect(await personal.decrypt(document)).toEqual({
      id: '1',
      buyer: { email: 'Ann@example.com', name: 'Ann Ö.' },
      all: ['Ann@example.com', null, 5, 'x'],
    });
    expect(document.buyer.email).toBe(email);
  });

  it('has the hash of its normalised text, for any subject', async () => {
    expect((await personal.encryptEmail('Ann@Example.com ')).hash).toBe(personal.hash('ann@example.com'));
    expect(personal.hash('bob@example.com')).not.toBe(personal.hash('ann@example.com'));
  });

  it('does not reveal its text', async () => {
    expect(JSON.stringify(await personal.encryptEmail('ann@example.com'))).not.toContain('ann');
  });

  it('is null, and its object marked as erased, once the subject is forgotten', async () => {
    const [ann, bob] = [await personal.encryptEmail('ann@example.com'), await personal.encryptEmail('bob@example.com')];
    await forget('ann@example.com');
    await clock.advance(5_000);

    expect(await personal.decrypt({ rows: [{ email: ann }, { email: bob }], note: null })).toEqual({
      rows: [{ email: null, erased: true }, { email: 'bob@example.com' }],
      note: null,
    });
  });

  it('is left out of a list once its subject is forgotten', async () => {
    const [ann, bob] = [await personal.encryptEmail('ann@example.com'), await personal.encryptEmail('bob@example.com')];
    await forget('ann@example.com');
    await clock.advance(5_000);

    expect(await personal.decrypt({ addresses: [ann, bob, null] })).toEqual({ addresses: ['bob@example.com', null] });
  });

  it('is open again for a subject that was forgotten before, and the earlier fields stay closed', async () => {
    const subjects = [];
    const boxes = [];
    for (const time of [1, 2, 3]) {
      const box = await personal.encryptEmail('ann@example.com');
      expect([time, await personal.decrypt([...boxes, box])]).toEqual([
        time,
        [...boxes.map(() => null), 'ann@example.com'],
      ]);
      subjects.push(subjectOfBox(box));
      boxes.push(box);
      await personal.forget(subjectOfBox(box));
    }
    const first = personal.subjectOf('ann@example.com');

    expect(subjects).toEqual([first, `${first}~1`, `${first}~2`]);
    expect(new Set(boxes.map(({ hash }) => hash)).size).toBe(1);
  });

  it('is null in a forgotten scope, and remains open in every other scope', async () => {
    const [shop, other] = [await encryptIn('shop'), await encryptIn('other')];
    await personal.forget(personal.subjectOf('Ann@example.com', 'shop'));

    expect(await personal.decrypt([shop, other])).toEqual([null, 'ann@example.com']);
  });

  it('is another subject in a scope that was forgotten, and in each scope after its address was', async () => {
    const first = personal.subjectOf('ann@example.com');
    await personal.forget(subjectOfBox(await encryptIn('shop')));
    const inShop = await encryptIn('shop');
    const older = [inShop, await encryptIn('other')];
    await personal.forget(first);
    const newer = [await encryptIn('shop'), await encryptIn('other')];
    await personal.forget(subjectOfBox(newer[0]!));

    expect([...older, ...newer].map(subjectOfBox)).toEqual([
      `${first}:shop~1`,
      `${first}:other`,
      `${first}~1:shop`,
      `${first}~1:other`,
    ]);
    expect(await personal.decrypt([...older, ...newer])).toEqual([null, null, null, 'ann@example.com']);
  });

  it('is encrypted like another one of its subject, until that is forgotten', async () => {
    const email = await encryptIn('shop');
    const name = await personal.encryptLike(email, 'Ann');
    const opened = await personal.decrypt([email, name]);
    await personal.forget(subjectOfBox(email));

    expect(opened).toEqual(['ann@example.com', 'Ann']);
    expect(await personal.decrypt([email, name])).toEqual([null, null]);
    expect(await personal.encryptLike(email, 'Ann')).toBeNull();
  });

  it('remains open in the forgotten scope of another field, when it has no scope itself', async () => {
    const older = await personal.encryptEmail('ann@example.com');
    await personal.forget(scopedSubjectOfBox(older, 'shop'));

    expect(scopedSubjectOfBox(older, 'shop')).toBe(personal.subjectOf('ann@example.com', 'shop'));
    expect(await personal.decrypt([older, await encryptIn('shop')])).toEqual(['ann@example.com', 'ann@example.com']);
  });

  it('without a scope closes with its subject, after the scope of another field was forgotten', async () => {
    const older = await personal.encryptEmail('ann@example.com');
    await personal.forget(scopedSubjectOfBox(older, 'shop'));
    const fields = [older, await encryptIn('other')];
    const opened = await personal.decrypt(fields);
    await personal.forget(personal.subjectOf('ann@example.com'));

    expect([opened, await personal.decrypt(fields)]).toEqual([
      ['ann@example.com', 'ann@example.com'],
      [null, null],
    ]);
  });

  it.each([undefined, 'shop'])(
    'is closed at once when it was read during a slow destruction (scope %s)',
    async (scope) => {
      const box = await personal.encryptEmail('ann@example.com', scope);
      const destruction = Promise.withResolvers<void>();
      vault.destroying = destruction.promise;
      const forgetting = personal.forget(personal.subjectOf('ann@example.com', scope));
      expect(await personal.decrypt({ email: box })).toEqual({ email: 'ann@example.com' });

      destruction.resolve();
      await forgetting;

      expect(await personal.decrypt({ email: box })).toEqual({ email: null, erased: true });
    },
  );

  it('is null in every scope once its subject is forgotten', async () => {
    const boxes = [await encryptIn('shop'), await encryptIn('other'), await personal.encryptEmail('ann@example.com')];
    await personal.forget(personal.subjectOf('ann@example.com'));

    expect(await personal.decrypt([...boxes, await encryptIn('a new one')])).toEqual([
      null,
      null,
      null,
      'ann@example.com',
    ]);
  });

  it('opens in another process at once', async () => {
    const other = new PersonalFields(vault, keys, clock);
    const { box } = await personal.encryptEmail('bob@example.com');
    await other.decrypt({ email: { box, hash: 'x' } });

    expect(await other.decrypt(await personal.encryptEmail('bob@example.com'))).toBe('bob@example.com');
  });

  it.each([
    [{ box: 'a.b', hash: 'c' }],
    [{ box: `${'a'.repeat(22)}.${'b'.repeat(80)}`, hash: 'c' }],
    [{ box: '', hash: '' }],
    [{ box: 'a.b.c', hash: 'c', more: 1 }],
  ])('is not opened when a caller has imitated it: %j', async (metadata) => {
    expect(await personal.decrypt({ metadata })).toEqual({ metadata });
  });

  it('stays closed in a copy within a free-form field', async () => {
    const copied = await personal.encryptEmail('ann@example.com');
    const value = { metadata: { note: copied, deeper: [copied] }, attachments: [{ note: copied }] };

    expect(await personal.decrypt({ ...value, email: copied })).toEqual({ ...value, email: 'ann@example.com' });
  });

  it('keeps fields with names that every object inherits', async () => {
    const metadata = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as object;

    expect(JSON.stringify(await personal.decrypt({ metadata, email: await personal.encryptEmail('a@b.c') }))).toBe(
      '{"metadata":{"__proto__":{"a":1},"constructor":2},"email":"a@b.c"}',
    );
  });
});

describe('A secret', () => {
  it('is stored encrypted, and can be read', async () => {
    const secrets = new Secrets(vault, keys);

    expect(await secrets.store('whs_1:1', 'whsec_first')).toBe('whsec_first');
    expect(await secrets.read('whs_1:1')).toBe('whsec_first');
    expect(vault.everything).not.toContain('whsec');
  });

  it('keeps its first value under its id', async () => {
    const secrets = new Secrets(vault, keys);
    await secrets.store('whs_1:1', 'whsec_first');

    expect(await secrets.store('whs_1:1', 'whsec_second')).toBe('whsec_first');
  });

  it('is missing after its destruction', async () => {
    const secrets = new Secrets(vault, keys);
    await secrets.store('whs_1:1', 'whsec_first');
    await secrets.destroy('whs_1:1');

    expect(await secrets.read('whs_1:1')).toBeNull();
  });

  it('is not stored under a destroyed id', async () => {
    const secrets = new Secrets(vault, keys);
    await secrets.destroy('whs_1:1');

    expect(await secrets.store('whs_1:1', 'whsec_first')).toBeNull();
  });

  it('cannot be decrypted with another master key', async () => {
    await new Secrets(vault, keys).store('whs_1:1', 'whsec_first');
    const other = new Secrets(vault, new Keys(Buffer.alloc(32, 9), Buffer.alloc(32, 2)));

    await expect(other.read('whs_1:1')).rejects.toThrow('another master key');
  });
});
