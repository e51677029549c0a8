import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setUpCluster } from '../../support/eventstoredb/cluster/client.js';

const SCRIPT = join(import.meta.dirname, '../support/searching.ts');
const APPENDS = 40;

describe('A process whose store searches for the leader of its cluster', () => {
  const test = setUpCluster();

  it('survives a search that takes longer than the calls that wait for it', async () => {
    for (const node of test.cluster.nodes) node.gossipDelayMs = 2_000;
    const args = [SCRIPT, test.cluster.connection, String(APPENDS), '75', '300'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);

    expect({ status, errors }).toEqual({
      status: 0,
      errors: expect.not.stringContaining('Channel has been shut down') as string,
    });
    const { acknowledged = 0, StoreUnavailable = 0 } = JSON.parse(output) as Record<string, number>;
    expect(acknowledged + StoreUnavailable).toBe(APPENDS);
    expect(Math.min(acknowledged, StoreUnavailable)).toBeGreaterThan(0);
  }, 60_000);
});
