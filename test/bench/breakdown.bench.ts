// Measures the time spans of one POST: sequential requests on an idle service.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, requireData } from '../support/api.ts';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { toBuiltPath } from './built.ts';
import { measureCommit } from './commits.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, computePercentile, round } from './numbers.ts';
import { FIRST_KEY, MeasuredServer } from './server.ts';
import type { SpanTimings } from './timings.ts';

const WARMING = 300;
const REQUESTS = 500;
/** After this time a request's events are projected and the checkpoint is written. */
const IDLE_MS = 5;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await MeasuredServer.start(toBuiltPath('main.js'), {
  ...TEST_ENVIRONMENT,
  DATA_DIR: dataDir,
  // Reactors would send other commands through the measured methods.
  ROLE: 'projector',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'timings.ts')}`,
});
try {
  const commit = measureCommit(dataDir);
  const api = new Api(service.url, FIRST_KEY.exec(service.output)![0]);
  await post(api, WARMING);
  await service.readGauge('marks');
  await post(api, REQUESTS);
  const marks = await service.readGauge<readonly SpanTimings[]>('marks');
  console.log(
    JSON.stringify(
      { bench: 'breakdown', machine: describeMachine(), requests: marks.length, commit, ...summarise(marks) },
      null,
      2,
    ),
  );
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function post(api: Api, requests: number): Promise<void> {
  for (let i = 0; i < requests; i++) {
    requireData(
      await api.post('/v1/commerce/products', { name: 'Learning Space' }, { 'idempotency-key': `${requests}-${i}` }),
    );
    await delay(IDLE_MS);
  }
}

function summarise(marks: readonly SpanTimings[]) {
  const whole = marks.map((one) => Object.values(one).reduce((sum, micros) => sum + micros, 0));
  const spans = Object.keys(marks[0]!) as (keyof SpanTimings)[];
  return {
    us_p50: Object.fromEntries(spans.map((span) => [span, round(computeMedian(marks.map((one) => one[span])))])),
    whole_us: { p50: round(computeMedian(whole)), p99: round(computePercentile(whole, 99)) },
  };
}
