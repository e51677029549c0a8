import { type TargetStore, TargetStores } from '../support/target-stores.js';

describe('subjects forget', () => {
  let targets: TargetStores;
  let home: TargetStore;
  beforeEach(async () => {
    targets = await TargetStores.open();
    home = targets.embedded('first');
  });
  afterEach(() => targets.close());

  it('forgets a person by user id or by e-mail address, and requires exactly one of the two', async () => {
    const { business } = await home.ops.runForDocument(
      'businesses create --name Acme --owner-sub ann --owner-email ann@example.com',
    );
    const { forgotten } = await home.ops.runForDocument(`subjects forget --user ${business.owner.id}`);
    const again = await home.ops.runForDocument('subjects forget --email Ann@Example.com');
    const unknown = await home.ops.run('subjects forget --user usr_nobody');
    const neither = await home.ops.run('subjects forget');

    expect(forgotten.now).toBe(true);
    expect(again.forgotten).toEqual({ email: 'Ann@Example.com', subject: forgotten.subject, now: false });
    expect([unknown.exitCode, unknown.err]).toEqual([1, 'there is no user usr_nobody\n']);
    expect([neither.exitCode, neither.err]).toEqual([2, 'error: name one person: use either --email or --user\n']);
  });

  it('says whom it forgot, and refuses an address that nothing is stored for', async () => {
    await home.ops.runForDocument('businesses create --name Acme --owner-sub ben --owner-email ben@example.com');
    const misspelled = await home.ops.run('subjects forget --email bne@example.com');
    const first = await home.ops.run('subjects forget --email ben@example.com');
    const again = await home.ops.run('subjects forget --email ben@example.com');

    expect(misspelled).toEqual({
      exitCode: 1,
      out: '',
      err: 'no data of bne@example.com were found: nobody was forgotten\n',
    });
    expect([first.exitCode, first.out]).toEqual([
      0,
      expect.stringMatching(/^ben@example\.com is forgotten \(subject /),
    ]);
    expect([again.exitCode, again.out]).toEqual([0, expect.stringMatching(/^ben@example\.com was already forgotten /)]);
  });

  it('refuses a text that is no e-mail address', async () => {
    const { exitCode, err } = await home.ops.run('subjects forget --email ann.example.com');

    expect([exitCode, err]).toEqual([
      2,
      "error: option '--email <address>' argument 'ann.example.com' is invalid. It must be an e-mail address.\n",
    ]);
  });
});
