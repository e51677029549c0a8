import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operators } from '../../src/operations/operators/create-operators.js';
import { createDeadLetterRoutes } from '../../src/operations/server/dead-letter-routes.js';
import { createJobRoutes } from '../../src/operations/server/job-routes.js';
import { createProjectionRoutes } from '../../src/operations/server/projection-routes.js';
import type { Rebuilds } from '../../src/operations/server/rebuilds.js';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/** The routes are listed without being called. */
const operators = {} as Operators;
const routes = [
  ...createProjectionRoutes(operators, {} as Rebuilds),
  ...createDeadLetterRoutes(operators.deadLetters),
  ...createJobRoutes(operators.jobs),
].map(({ method, path }) => `${method} ${path}`);

describe('The documentation of the operations port', () => {
  it.each(routes)('describes %s', (route) => expect(DOCUMENT).toContain(`\`${route}\``));
});
