import { PersonalFields } from '../../src/engine/encryption/personal-fields.js';
import { Users } from '../../src/identity/users.js';
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

  it('changes to a new address', async () => {
    const id = await users.resolveSubject('mover', 'old@example.com');
    await users.resolveSubject('mover', 'new@example.com');

    expect((await users.find(id))!.email!.hash).toBe(service.get(PersonalFields).hash('new@example.com'));
    expect(await users.reserveId('new@example.com')).toBe(id);
  });

  it('changes back to an earlier address', async () => {
    const id = await users.resolveSubject('returner', 'home@example.com');
    await users.resolveSubject('returner', 'away@example.com');
    await users.resolveSubject('returner', 'home@example.com');

    expect((await users.findByEmail('home@example.com'))!.id).toBe(id);
  });

  it('is null for an unknown id', async () => expect(await users.find('usr_unknown')).toBeNull());
});
