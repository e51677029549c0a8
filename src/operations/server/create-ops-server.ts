import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { PinoLogger } from 'nestjs-pino';
import { Config } from '../../config/config.js';
import type { SecurityHeaders } from '../../http/server/security-headers.js';
import { Health } from '../health/health.js';
import { Gauges } from '../metrics/gauges.js';
import { Metrics } from '../metrics/metrics.js';
import { createOperators } from '../operators/create-operators.js';
import { createDeadLetterRoutes } from './dead-letter-routes.js';
import { createJobRoutes } from './job-routes.js';
import { createServer } from './ops-server.js';
import { createProjectionRoutes } from './projection-routes.js';
import { Rebuilds } from './rebuilds.js';

export interface OperationsPort {
  readonly server: FastifyInstance;
  readonly rebuilds: Rebuilds;
}

/** Creates the server of the operations port. Its commands are those of the command line. */
export async function createOpsServer(
  app: INestApplicationContext,
  security: SecurityHeaders,
): Promise<OperationsPort> {
  const [health, operators] = [app.get(Health), createOperators(app)];
  const rebuilds = new Rebuilds(operators.builds, health.drainSignal);
  const routes = [
    ...createProjectionRoutes(operators, rebuilds),
    ...createDeadLetterRoutes(operators.deadLetters),
    ...createJobRoutes(operators.jobs),
  ];
  const logAction = (line: object) => PinoLogger.root.info(line, 'operator action');
  const [config, metrics, gauges] = [app.get(Config), app.get(Metrics), app.get(Gauges)];
  return { server: await createServer({ config, health, metrics, gauges, routes, security, logAction }), rebuilds };
}
