import { PersonalFields } from '../../src/engine/encryption/personal-fields.js';
import { ForgetSubjects } from '../../src/identity/processes/forget-subjects.js';
import { Subjects } from '../../src/identity/subjects.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Vault } from '../../src/kernel/vault.js';
import { requireData } from '../support/api.js';
import { readWholeLog } from '../support/read-whole-log.js';
import { type Service, startService, type TestBusiness } from '../support/service.js';

const ADA = 'ada@example.com';

describe('A forgotten person', () => {
  let service: Service;
  let business: TestBusiness;
  beforeAll(async () => {
    service = await startService();
    business = await service.createBusiness();
  });
  afterAll(() => service.stop());

  it('is null with erased: true in responses, and has an event', async () => {
    const api = service.createApi(await service.createKey(business));
    const { id } = requireData(await api.post('/v1/commerce/carts', { buyer: { email: ADA, name: 'Ada' } }));
    expect(requireData(await api.get(`/v1/commerce/carts/${id}`)).buyer).toMatchObject({ email: ADA });
    const subjectId = service.get(PersonalFields).subjectOf(ADA);

    expect(await service.get(Subjects).forget(subjectId, createSystemContext(Date.now()))).toBe(true);
    expect(await service.get(Subjects).forget(subjectId, createSystemContext(Date.now()))).toBe(false);
    expect(requireData(await api.get(`/v1/commerce/carts/${id}`)).buyer).toMatchObject({
      email: null,
      name: null,
      erased: true,
    });
    const events = (await readWholeLog(service.get(EventStore))).filter(
      ({ stream }) => stream === `subject-${subjectId}`,
    );
    expect(events).toMatchObject([{ type: 'SubjectForgotten', data: { subjectId } }]);
    expect(JSON.stringify(await readWholeLog(service.get(EventStore)))).not.toContain(ADA);
  });

  it('stays forgotten in a vault that was restored from a backup', async () => {
    const subjectId = service.get(PersonalFields).subjectOf('bob@example.com');
    await service.get(PersonalFields).encryptEmail('bob@example.com');
    const event = { data: { subjectId } } as Parameters<ForgetSubjects['react']>[0];
    await service.get(ForgetSubjects).react(event);

    expect(await service.get(Vault).get(`subject:${subjectId}`)).toBeNull();
  });
});
