import { readFileSync, writeFileSync } from 'node:fs';
import { type TargetStore, TargetStores } from '../support/target-stores.js';

const BUILD = 'projections rebuild auditChains';

describe('The audit commands', () => {
  let targets: TargetStores;
  let home: TargetStore;
  let business: string;
  beforeEach(async () => {
    targets = await TargetStores.open();
    home = targets.embedded('first');
    const created = await home.ops.runForDocument(
      'businesses create --name Acme --owner-sub ann --owner-email ann@example.com',
    );
    business = created.business.id;
    for (const projection of ['auditChains', 'auditEvents', 'auditExports'])
      await home.ops.runForDocument(`projections rebuild ${projection}`);
  });
  afterEach(() => targets.close());

  it('export a history that is verified without the store', async () => {
    const out = targets.file('history.ndjson');
    const { export: written } = await home.ops.runForDocument(`audit export --business ${business} --out ${out}`);
    const { checkpoints } = await home.ops.runForDocument('audit checkpoint');
    const [{ public_key: key }] = checkpoints;
    const verify = `audit verify --file ${out} --manifest ${written.manifest_file}`;

    expect(JSON.parse(readFileSync(written.manifest_file, 'utf8'))).toEqual(written.manifest);
    expect((await home.ops.runForDocument(`${verify} --public-key ${key}`)).verification).toEqual({
      events: written.manifest.count,
      mismatch: null,
    });
    expect((await home.ops.run(`audit export --business ${business} --out ${out}`)).err).toBe(
      `${out} exists already\n`,
    );

    const unsigned = targets.file('unsigned.json');
    writeFileSync(unsigned, JSON.stringify({ ...written.manifest, checkpoint: null }));
    expect((await home.ops.run(`audit verify --file ${out} --manifest ${unsigned}`)).err).toBe(
      `${unsigned} is not the manifest of an export\n`,
    );

    writeFileSync(out, readFileSync(out, 'utf8').replace('Acme', 'Acne'));
    const forged = await home.ops.run(verify);
    expect(forged.exitCode).toBe(1);
    expect(forged.err).toMatch(/does not fit at line \d+ \(event \d+, position \d+\): the hash of the event/);
  });

  it('export the whole last day of a range', async () => {
    const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    const command = `audit export --business ${business} --out ${targets.file('day.ndjson')} --until ${today}`;

    expect((await home.ops.runForDocument(command)).export.manifest.count).toBeGreaterThan(0);
  });

  it('verify the store after a restore, a move and the erasure of a person', async () => {
    await home.ops.runForDocument('audit checkpoint');
    await home.ops.runForDocument('subjects forget --email ann@example.com');
    const before = (await home.ops.runForDocument('audit verify')).verification;
    expect(before).toMatchObject({ mismatches: [] });
    expect(before.checkpoints).toBeGreaterThanOrEqual(2);

    await home.ops.runForDocument(`store backup --out ${targets.file('monday')}`);
    const restored = targets.embedded('restored');
    await restored.ops.runForDocument(`store restore --from ${targets.file('monday')}`);
    expect((await restored.ops.runForDocument('audit verify')).verification).toEqual(before);

    await home.ops.runForDocument(`store export --out ${targets.file('all.ndjson')}`);
    const moved = targets.embedded('moved');
    await moved.ops.runForDocument(`store import --from ${targets.file('all.ndjson')}`);
    const { verification } = await moved.ops.runForDocument('audit verify');
    expect(verification).toMatchObject({ checkpoints: before.checkpoints, stored_heads: 0, mismatches: [] });
    await moved.ops.runForDocument(BUILD);
    expect((await moved.ops.runForDocument('audit verify')).verification).toEqual(before);
  });

  it('name wrong usage, a missing business and a missing file', async () => {
    const found = [
      await home.ops.run('audit verify --file history.ndjson'),
      await home.ops.run('audit verify --public-key abc'),
      await home.ops.run('audit checkpoint --business biz_nobody'),
      await home.ops.run('audit verify --file /nowhere/a --manifest /nowhere/b'),
      await home.ops.run('audit export --business biz_a --out a --since 2026-02-02 --until 2026-02-01'),
      await home.ops.run(`audit export --business ${business} --out /nowhere/a`),
    ];

    expect(found.map(({ exitCode, err }) => [exitCode, err])).toEqual([
      [2, 'error: use --file and --manifest together\n'],
      [2, 'error: --public-key is for --file; the store holds its own key\n'],
      [1, 'there is no business biz_nobody\n'],
      [1, '/nowhere/b cannot be read: ENOENT\n'],
      [2, 'error: --since is later than --until\n'],
      [1, expect.stringMatching(/^ENOENT: .*: create its folder first, or correct the path\n$/)],
    ]);
  });
});
