import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveries } from '../../src/webhooks/projections/deliveries.js';
import { endpointHealth } from '../../src/webhooks/projections/endpoint-health.js';
import { endpointStats } from '../../src/webhooks/projections/endpoint-stats.js';
import { endpoints } from '../../src/webhooks/projections/endpoints.js';
import { publicEvents } from '../../src/webhooks/projections/public-events.js';
import { replayJobs } from '../../src/webhooks/projections/replay-jobs.js';
import { undeliveredChains } from '../../src/webhooks/projections/undelivered-chains.js';
import { waitingChains } from '../../src/webhooks/projections/waiting-chains.js';

const SRC = join(import.meta.dirname, '../../src/webhooks');
const all = {
  undeliveredChains,
  deliveries,
  endpointHealth,
  endpointStats,
  endpoints,
  publicEvents,
  replayJobs,
  waitingChains,
};

describe('A projection on which decisions depend', () => {
  it('stops at an event that it cannot apply, unlike any other projection', async () => {
    const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const text = (await Promise.all(files.map((file) => readFile(join(SRC, file), 'utf8')))).join('');
    // The data of a public event is read from a projection that is a parameter. Nothing is decided by it.
    const waitedFor = [...text.matchAll(/\brequirePosition\((?!projection,)(\w+),/g)].map(([, name]) => name!);
    const deciding = Object.entries(all).flatMap(([name, { stopOnPoison }]) => (stopOnPoison ? [name] : []));
    expect(deciding.sort()).toEqual([...new Set(waitedFor)].sort());
  });
});
