import { PersonalFields } from '../../src/engine/encryption/personal-fields.js';
import { Users } from '../../src/identity/users.js';
import { requireData } from '../support/api.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let users: Users;
beforeAll(async () => {
  service = await startService();
  users = service.get(Users);
});
afterAll(() => service.stop());

describe('A user', () => {
  it('is the same for concurrent sessions of a subject', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => users.resolveSubject('many', 'many@example.com')));

    expect(new Set(ids).size).toBe(1);
    expect((await users.find(ids[0]!))!.email!.hash).toBe(service.get(PersonalFields).hash('MANY@example.com '));
  });

  it('gets the id that was reserved for its address', async () => {
    const reserved = await users.reserveId('invited@example.com');

    expect(await users.find(reserved)).toBeNull();
    expect(await users.resolveSubject('invited', ' Invited@Example.com')).toBe(reserved);
    expect(await users.reserveId('invited@example.com')).toBe(reserved);
  });

  it('keeps its address from a second subject that claims it', async () => {
    const first = await users.resolveSubject('first', 'shared@example.com');
    const second = await users.resolveSubject('second', 'shared@example.com');

    expect(second).not.toBe(first);
    expect(await users.reserveId('shared@example.com')).toBe(first);
    expect((await users.find(second))!.email).toBeNull();
  });

  it('gets an address that its earlier user has replaced, and keeps it', async () => {
    const mover = await users.resolveSubject('emp-1', 'hr@example.com');
    await users.resolveSubject('emp-1', 'private@example.com');
    const successor = await users.resolveSubject('emp-2', 'hr@example.com');
    const late = await users.resolveSubject('emp-3', 'hr@example.com');

    expect(new Set([mover, successor, late]).size).toBe(3);
    expect((await users.findByEmail('hr@example.com'))!.id).toBe(successor);
    expect((await users.find(late))!.email).toBeNull();
    expect((await users.find(mover))!.email!.hash).toBe(service.get(PersonalFields).hash('private@example.com'));
  });

  it('gets the address of another user once that one has moved away', async () => {
    await users.resolveSubject('leaver', 'desk@example.com');
    const waiting = await users.resolveSubject('waiting', 'desk@example.com');
    await users.resolveSubject('leaver', 'elsewhere@example.com');

    expect(await users.resolveSubject('waiting', 'desk@example.com')).toBe(waiting);
    expect((await users.findByEmail('desk@example.com'))!.id).toBe(waiting);
  });

  it('has no address while another user has its new one, and leaves the old one to others', async () => {
    await users.resolveSubject('keeper', 'taken@example.com');
    const id = await users.resolveSubject('changer', 'former@example.com');
    await users.resolveSubject('changer', 'taken@example.com');
    const next = await users.resolveSubject('next', 'former@example.com');

    expect((await users.find(id))!.email).toBeNull();
    expect((await users.findByEmail('former@example.com'))!.id).toBe(next);
  });

  it('is found by no address that it has replaced', async () => {
    await users.resolveSubject('replacer', 'first@example.com');
    await users.resolveSubject('replacer', 'second@example.com');

    expect(await users.findByEmail('first@example.com')).toBeNull();
    const reserved = await users.reserveId('first@example.com');
    expect(await users.find(reserved)).toBeNull();
    expect(await users.resolveSubject('heir', 'first@example.com')).toBe(reserved);
  });

  it('is found by its address in any spelling, and by no address that is only reserved', async () => {
    const id = await users.resolveSubject('speller', 'speller@example.com');
    await users.reserveId('reserved@example.com');

    expect((await users.findByEmail(' Speller@EXAMPLE.com '))!.id).toBe(id);
    expect(await users.findByEmail('reserved@example.com')).toBeNull();
  });

  it('is one for each subject, also when two subjects sign in with a reserved address at the same time', async () => {
    await users.reserveId('team@example.com');

    const ids = await Promise.all(['ann', 'ben'].map((name) => users.resolveSubject(name, 'team@example.com')));

    expect(new Set(ids).size).toBe(2);
    expect(ids).toContain((await users.findByEmail('team@example.com'))!.id);
  });

  it('changes to a new address', async () => {
    const id = await users.resolveSubject('mover', 'old@example.com');
    await users.resolveSubject('mover', 'new@example.com');

    expect((await users.find(id))!.email!.hash).toBe(service.get(PersonalFields).hash('new@example.com'));
    expect(await users.reserveId('new@example.com')).toBe(id);
  });

  it('changes back to an earlier address', async () => {
    const signIn = (email: string, issuedAt: number) => users.resolveSession({ subject: 'returner', email, issuedAt });
    const { id } = await signIn('home@example.com', 1);
    await signIn('away@example.com', 2);
    await signIn('home@example.com', 3);

    expect((await users.findByEmail('home@example.com'))!.id).toBe(id);
  });

  it('knows from its session that another user has its address', async () => {
    const signIn = async (name: string, email: string) =>
      requireData(await service.createApi(await service.signToken(name, { email })).get('/v1/auth/me')).user;
    const first = await signIn('one', 'both@example.com');
    const second = await signIn('two', 'both@example.com');

    expect(first).toEqual({ id: expect.any(String), email: 'both@example.com' });
    expect(second).toEqual({ id: expect.any(String), email: null, email_conflict: true });
    await signIn('one', 'solo@example.com');
    expect(await signIn('two', 'both@example.com')).toEqual({ id: second.id, email: 'both@example.com' });
  });

  it('is null for an unknown id', async () => expect(await users.find('usr_unknown')).toBeNull());
});
