import { integerBetween, parseBoolean } from '../../config/settings.js';
import type { Operators } from '../operators/create-operators.js';
import { readBody } from './read-input.js';
import type { Rebuilds } from './rebuilds.js';
import type { GivenValues, OpsRoute } from './route.js';

const MAX_BUILD = 1_000_000;
const DEFAULT_SAMPLE = 1_000;
/** A request verifies a sample; the command line verifies all documents. */
const MAX_SAMPLE = 100_000;
const ACCEPTED = 202;

interface ProjectionRequest {
  readonly name: string;
  readonly input: GivenValues;
  readonly signal: AbortSignal;
}

type Work = (request: ProjectionRequest) => Promise<object>;

/** Rebuilds run in this process after the response; `GET /ops/projections/:name` shows their progress. */
export function createProjectionRoutes(operators: Operators, rebuilds: Rebuilds): OpsRoute[] {
  const { builds } = operators;
  const define = (method: OpsRoute['method'], action: string, work: Work): OpsRoute => ({
    method,
    path: `/ops/projections/:name${action}`,
    handle: async ({ params: { name }, input, signal }) => {
      await operators.requireProjections([name!]);
      return work({ name: name!, input, signal });
    },
  });
  const show = async ({ name }: ProjectionRequest) => {
    const projection = await builds.getStatus(name);
    return { projection, rebuild: rebuilds.find(projection.name) };
  };
  return [
    { method: 'GET', path: '/ops/projections', handle: async () => ({ projections: await builds.list() }) },
    define('GET', '', show),
    { ...define('POST', '/rebuild', startRebuild(rebuilds)), status: ACCEPTED },
    define('POST', '/switch', async ({ name, input }) => {
      const { build } = readBody(input, { build: integerBetween(1, MAX_BUILD) });
      return { active: (await builds.switch(name, build)).build };
    }),
    define('POST', '/rollback', async ({ name }) => ({ active: (await builds.rollback(name)).build })),
    define('POST', '/pause', (request) => builds.pause(request.name).then(() => show(request))),
    define('POST', '/resume', (request) => builds.resume(request.name).then(() => show(request))),
    define('POST', '/verify', async ({ name, input, signal }) => {
      const { sample = DEFAULT_SAMPLE } = readBody(input, { sample: integerBetween(1, MAX_SAMPLE) });
      return { verification: await builds.verify(name, { sample, signal }) };
    }),
  ];
}

function startRebuild(rebuilds: Rebuilds): Work {
  return async ({ name, input }) => {
    const { switch: activates = true } = readBody(input, { switch: parseBoolean });
    return { rebuild: await rebuilds.start(name, activates) };
  };
}
