// Measures the time spans of one POST: sequential requests on an idle service.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, dataOf } from '../support/api.ts';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { built } from './built.ts';
import { timeOfACommit } from './commits.ts';
import { machine } from './machine.ts';
import type { Marks } from './marks.ts';
import { median, percentile, rounded } from './numbers.ts';
import { FIRST_KEY, MeasuredServer } from './server.ts';

const WARMING = 300;
const REQUESTS = 500;
/** After this time a request's events are projected and the checkpoint is written. */
const REST_MS = 5;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await MeasuredServer.start(built('main.js'), {
  ...TEST_ENVIRONMENT,
  DATA_DIR: dataDir,
  // Reactors would send other commands through the measured methods.
  ROLE: 'projector',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'marks.ts')}`,
});
try {
  const commit = timeOfACommit(dataDir);
  const api = new Api(service.url, FIRST_KEY.exec(service.output)![0]);
  await post(api, WARMING);
  await service.ask('marks');
  await post(api, REQUESTS);
  const marks = await service.ask<readonly Marks[]>('marks');
  console.log(JSON.stringify({ bench: 'breakdown', machine: machine(), requests: marks.length, commit, ...spent(marks) }, null, 2));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function post(api: Api, requests: number): Promise<void> {
  for (let i = 0; i < requests; i++) {
    dataOf(await api.post('/v1/commerce/products', { name: 'Learning Space' }, { 'idempotency-key': `${requests}-${i}` }));
    await delay(REST_MS);
  }
}

function spent(marks: readonly Marks[]) {
  const whole = marks.map((one) => Object.values(one).reduce((sum, micros) => sum + micros, 0));
  const spans = Object.keys(marks[0]!) as (keyof Marks)[];
  return {
    us_p50: Object.fromEntries(spans.map((span) => [span, rounded(median(marks.map((one) => one[span])))])),
    whole_us: { p50: rounded(median(whole)), p99: rounded(percentile(whole, 99)) },
  };
}
