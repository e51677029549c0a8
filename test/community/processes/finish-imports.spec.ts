import { CommunityAccess } from '../../../src/community/access/community-access.js';
import type { Awards } from '../../../src/community/commands/awards.steps.js';
import { ImportedPoints } from '../../../src/community/commands/imported-points.steps.js';
import { MemberImports } from '../../../src/community/commands/member-imports.steps.js';
import { Members } from '../../../src/community/commands/members.steps.js';
import {
  type ImportRow,
  memberImportDecider,
  type MemberImportEvent,
} from '../../../src/community/domain/member-import.js';
import { MemberAddresses } from '../../../src/community/member-addresses.js';
import { FinishImports } from '../../../src/community/processes/finish-imports.js';
import type { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import type { Streams } from '../../../src/engine/streams/streams.js';
import { UserAddresses } from '../../../src/identity/user-addresses.js';
import { Users } from '../../../src/identity/users.js';
import { createContext } from '../../support/jar.js';
import { TEST_KEYS } from '../../support/keys.js';
import type { AppendFault } from '../../support/memory/faulty-event-store.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const ROWS = 500;
const INVALID = { code: 'invalid_email', detail: 'Not an e-mail address.', field: 'members[3].email' };

const rows = Array.from({ length: ROWS }, (_, i): ImportRow => {
  const email = { box: `box ${i}`, hash: `hash-${i}` };
  return { email, level: null, role: null, error: i % 10 === 3 ? INVALID : null };
});

function createImports(streams: Streams, { clock, jobs }: TestCluster) {
  // The rows are encrypted already, and users are found by the hash of an address.
  const users = new Users(
    streams,
    null as unknown as PersonalFields,
    TEST_KEYS,
    clock,
    new UserAddresses(streams, clock),
  );
  const addresses = new MemberAddresses(new CommunityAccess(streams), users, null as unknown as PersonalFields);
  const points = new ImportedPoints(streams, null as unknown as Awards);
  const imports = new MemberImports(streams, addresses, new Members(streams), users, points);
  return { imports, process: new FinishImports(streams, jobs, imports) };
}

const never = new Promise<never>(() => undefined);
const stopBefore: AppendFault = () => never;
const stopAfter: AppendFault = (write) => write().then(() => never);

/** Imports the rows in a process that stops at one of its appends. */
async function importUntilStopped(
  stoppedAt: number,
  stop: AppendFault,
  wanted: readonly ImportRow[] = rows,
  cluster = new TestCluster(),
): Promise<TestCluster> {
  const { streams } = cluster.createProcess({});
  const request = { importId: 'imp_1', communityId: 'com_1', rows: wanted };
  await streams.execute(memberImportDecider, 'imp_1', { type: 'RequestImport', request }, createContext('import'));

  await new Promise<void>((resolve) => {
    const pass: AppendFault = (write) => write();
    const last: AppendFault = (write) => {
      resolve();
      return stop(write);
    };
    cluster.store.faults.push(...Array.from({ length: stoppedAt }, () => pass), last);
    void createImports(streams, cluster).imports.run('imp_1', createContext('import'));
  });
  return cluster;
}

const listResults = ({ store }: TestCluster) =>
  store.log.flatMap(({ type, data }) =>
    type === 'MemberRowsImported'
      ? (data as Extract<MemberImportEvent, { type: 'MemberRowsImported' }>['data']).results
      : [],
  );

describe('An import of 500 rows whose process stops', () => {
  it.each([
    ['before', 10, stopBefore],
    ['after', 10, stopAfter],
    ['before', 1_100, stopBefore],
    ['after', 1_100, stopAfter],
  ])('imports each row once when others finish it (%s append %i)', async (_, stoppedAt, stop) => {
    const cluster = await importUntilStopped(stoppedAt, stop);

    for (const name of ['process 2', 'process 3']) {
      const { process } = createImports(cluster.createProcess({}, name).streams, cluster);
      await process.run({ data: { importId: 'imp_1' } });
    }

    const imported = cluster.store.log.filter(({ type }) => type === 'MemberImported');
    expect(new Set(imported.map(({ stream }) => stream)).size).toBe(450);
    expect(imported).toHaveLength(450);
    expect(listResults(cluster).map(({ status }) => status)).toEqual(
      rows.map(({ error }) => (error === null ? 'created' : 'failed')),
    );
  });
});

describe('An import of known and new members whose process stops', () => {
  const createRow = (i: number, level: number | null = null): ImportRow => ({
    email: { box: `box ${i}`, hash: `hash-${i}` },
    level,
    role: null,
    error: null,
  });

  it('reports each row as its first run would have', async () => {
    const cluster = new TestCluster();
    const { streams } = cluster.createProcess({});
    const earlier = { importId: 'imp_0', communityId: 'com_1', rows: [createRow(0), createRow(1)] };
    await streams.execute(
      memberImportDecider,
      'imp_0',
      { type: 'RequestImport', request: earlier },
      createContext('0'),
    );
    await createImports(streams, cluster).imports.run('imp_0', createContext('0'));
    // One append changes the first member, and four add the third one.
    await importUntilStopped(5, stopBefore, [createRow(0, 4), createRow(1), createRow(2)], cluster);

    const { process } = createImports(cluster.createProcess({}, 'process 2').streams, cluster);
    await process.run({ data: { importId: 'imp_1' } });

    expect(listResults(cluster).slice(2)).toMatchObject([
      { status: 'updated' },
      { status: 'unchanged' },
      { status: 'created' },
    ]);
    expect(cluster.store.log.filter(({ type }) => type === 'MemberChanged')).toHaveLength(1);
  });
});
