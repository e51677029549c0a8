import { Keys } from '../../../src/engine/encryption/keys.js';
import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { DocumentSerializer } from '../../../src/http/server/document-serializer.js';
import { JsonDocument } from '../../../src/kernel/read-models.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryVault } from '../../support/memory/vault.js';

let personal: PersonalFields;
let serializer: DocumentSerializer;
beforeEach(() => {
  const keys = new Keys(Buffer.alloc(32, 1), Buffer.alloc(32, 2));
  personal = new PersonalFields(new MemoryVault(), keys, new ManualClock());
  serializer = new DocumentSerializer(personal);
});

const serialize = async (...documents: object[]): Promise<unknown> =>
  JSON.parse(await serializer.serialize(documents.map((document) => new JsonDocument(JSON.stringify(document)))));

describe('Stored documents in a response', () => {
  it('have no hidden fields, also when they are sent again', async () => {
    const [first, second] = [
      { id: '1', _business: 'biz_1', metadata: { _note: 'kept' } },
      { id: '2', _mode: 'live' },
    ];
    const visible = [{ id: '1', metadata: { _note: 'kept' } }, { id: '2' }];

    expect(await serialize(first, second)).toEqual(visible);
    expect(await serialize(second, first, { ...first, id: '3' })).toEqual([
      ...visible.toReversed(),
      { ...visible[0], id: '3' },
    ]);
  });

  it('are sent one at a time in the same way', async () => {
    const document = new JsonDocument(JSON.stringify({ id: '1', _business: 'biz_1', metadata: { _note: 'kept' } }));
    const first = await serializer.serializeOne(document);

    expect(first).toBe('{"id":"1","metadata":{"_note":"kept"}}');
    expect(serializer.serializeOne(document)).toBe(first);
  });

  it('have open fields until the subject is forgotten', async () => {
    const order = { id: '1', buyer: { email: await personal.encryptEmail('ann@example.com') } };
    expect(await serialize(order, { id: '2' })).toEqual([
      { id: '1', buyer: { email: 'ann@example.com' } },
      { id: '2' },
    ]);

    await personal.forget(personal.subjectOf('ann@example.com'));
    expect(await serialize(order, { id: '2' })).toEqual([
      { id: '1', buyer: { email: null, erased: true } },
      { id: '2' },
    ]);
  });
});
