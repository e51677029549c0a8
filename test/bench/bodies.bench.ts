// Measures how long an expensive body of 1 MiB blocks the event loop, for each operation with a body and each kind of
// body. Each body is sent several times. `median_ms` is the median of the longest delays; `least_ms` is their minimum,
// which depends less on other programs. Prints one JSON document on standard output.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COSTLY_BODIES } from '../http/support/costly-bodies.ts';
import { Api } from '../support/api.ts';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { toBuiltPath } from './built.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';
import { FIRST_KEY, MeasuredServer } from './server.ts';

const ROUNDS = 9;
const WARMING_ROUNDS = 3;
const HIGHEST_MS = 20;

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is looked into as it comes */
type Json = any;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await MeasuredServer.start(toBuiltPath('main.js'), { ...TEST_ENVIRONMENT, DATA_DIR: dataDir });
try {
  const figures = await measureAll(new Api(service.url, FIRST_KEY.exec(service.output)![0]));
  const worst = figures.reduce((a, b) => (a.median_ms > b.median_ms ? a : b));
  console.log(
    JSON.stringify(
      { bench: 'bodies', machine: describeMachine(), rounds: ROUNDS, highest_ms: HIGHEST_MS, worst, figures },
      null,
      2,
    ),
  );
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureAll(api: Api) {
  const document = (await api.get('/openapi.json')).body;
  const figures = [];
  for (const [path, methods] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const { schema } = operation.requestBody?.content['application/json'] ?? {};
      if (schema !== undefined)
        figures.push(...(await measureOperation(api, method.toUpperCase(), path, resolveSchema(document, schema))));
    }
  return figures;
}

async function measureOperation(api: Api, method: string, path: string, schema: Json) {
  console.error(`${method} ${path}`);
  const figures = [];
  for (const [kind, bodiesOf] of Object.entries(COSTLY_BODIES)) {
    const bodies = bodiesOf(schema);
    if (bodies.length === 0) continue;
    const delays = [];
    for (let round = 0; round < ROUNDS + WARMING_ROUNDS; round++)
      delays.push(await measureLongestDelay(api, method, path, bodies));
    const warm = delays.slice(WARMING_ROUNDS);
    figures.push({
      operation: `${method} ${path}`,
      kind,
      median_ms: round(computeMedian(warm)),
      least_ms: round(Math.min(...warm)),
    });
  }
  return figures;
}

async function measureLongestDelay(api: Api, method: string, path: string, bodies: readonly string[]): Promise<number> {
  await service.read();
  for (const body of bodies) await api.sendText(method, path.replaceAll(/\{\w+\}/g, 'none_1'), body);
  return (await service.read()).eventLoopDelayMs.max;
}

function resolveSchema(document: Json, schema: Json): Json {
  return schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)];
}
