import { Homes, type Home } from './support/homes.js';

describe('subjects forget', () => {
  let homes: Homes;
  let home: Home;
  beforeEach(async () => {
    homes = await Homes.open();
    home = homes.inFile('first');
  });
  afterEach(() => homes.close());

  it('forgets a person by user id or by e-mail address, and requires exactly one of the two', async () => {
    const { business } = await home.ops.document('businesses create --name Acme --owner-sub ann --owner-email ann@example.com');
    const { forgotten } = await home.ops.document(`subjects forget --user ${business.owner.id}`);
    const again = await home.ops.document('subjects forget --email Ann@Example.com');
    const nobody = await home.ops.run('subjects forget --user usr_nobody');
    const neither = await home.ops.run('subjects forget');

    expect(forgotten.now).toBe(true);
    expect(again.forgotten).toEqual({ subject: forgotten.subject, now: false });
    expect([nobody.exitCode, nobody.err]).toEqual([1, 'there is no user usr_nobody\n']);
    expect([neither.exitCode, neither.err]).toEqual([2, 'error: name one person: use either --email or --user\n']);
  });
});
