import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Logger, PinoLogger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import { requireCheckpointsInLog } from './engine/consumers/checkpoints-ahead.js';
import { Engine } from './engine/engine.js';
import { ProcessRegistry } from './engine/process-registry.js';
import { StoreIdentity } from './engine/store-identity.js';
import { registerConsole } from './http/console/console-files.js';
import { OpenApiDocument } from './http/openapi/openapi-document.js';
import { ApiAdapter } from './http/server/api-adapter.js';
import { ApiResponses } from './http/server/api-responses.js';
import { ConnectionLimits } from './http/server/connection-limits.js';
import { ConnectionTracker } from './http/server/connection-tracker.js';
import { Cors } from './http/server/cors.js';
import { registerIngress } from './http/server/ingress.js';
import { IngressChecks } from './http/server/ingress-checks.js';
import { LoopDelay } from './http/server/loop-delay.js';
import { logResponses } from './http/server/request-log.js';
import { registerRequestTimeout } from './http/server/request-timeout.js';
import { createSecurityHeaders, type SecurityHeaders } from './http/server/security-headers.js';
import { createServerOptions, registerRawHandlers } from './http/server/server.js';
import { Clock } from './kernel/clock.js';
import { Health } from './operations/health/health.js';
import { countResponses } from './operations/metrics/count-responses.js';
import { Metrics } from './operations/metrics/metrics.js';
import { createOpsServer, type OperationsPort } from './operations/server/create-ops-server.js';
import { startTracing } from './operations/tracing/start-tracing.js';
import { traceResponses } from './operations/tracing/trace-responses.js';
import { engineRolesFor } from './startup/engine-roles.js';
import { reachStores, retryUntilReachable } from './startup/wait-for-stores.js';
import { Stores } from './stores/stores.js';

/** Shutdown closes idle connections after 500 ms, and all others shortly before the limit of 10 s. */
const CLOSE_IDLE_MS = 500;
const CLOSE_ALL_MS = 9_000;

export interface RunningApp {
  readonly app: NestFastifyApplication;
  readonly engine: Engine;
  readonly stores: Stores;
  /** `url` serves the API; `opsUrl` serves operators. */
  readonly url: string;
  readonly opsUrl: string;
  /** Turns readiness red, starts no new work and waits for the work in flight. */
  readonly close: () => Promise<void>;
}

/** Starts the whole service. `extraModules` are imported beside its own modules. */
export async function createApp(config: Config, extraModules: readonly Type[] = []): Promise<RunningApp> {
  const stopTracing = await startTracing(config);
  const security = createSecurityHeaders();
  const app = await buildApp(config, extraModules, security);
  const [engine, processRegistry, stores, health] = [
    app.get(Engine),
    app.get(ProcessRegistry),
    app.get(Stores),
    app.get(Health),
  ];
  const ops = await createOpsServer(app, security);
  const connections = new ConnectionTracker(app.getHttpServer());
  // Listens first, so that operators can see why a start waits.
  const opsUrl = await ops.server.listen({ port: config.opsPort, host: config.opsHost });
  health.watch();
  await retryUntilReachable(app.get(Clock), async () => {
    await reachStores(app);
    const { ports } = app.get(Stores);
    await requireCheckpointsInLog(ports);
    await app.get(StoreIdentity).load();
  });
  await processRegistry.register();
  await engine.startServing(engineRolesFor(config.role));
  await app.listen(config.port, config.host);
  const url = formatUrl(app, config);
  config.setServedUrl(url);
  return {
    app,
    engine,
    stores,
    url,
    opsUrl,
    close: () => shutDown({ app, engine, processRegistry, stores, health, ops, connections, stopTracing }),
  };
}

async function buildApp(
  config: Config,
  extraModules: readonly Type[],
  security: SecurityHeaders,
): Promise<NestFastifyApplication> {
  const httpSettings = { publicUrl: () => config.publicUrl, security };
  const adapter = new ApiAdapter(createServerOptions(httpSettings, config.trustedProxies));
  // A failed start throws, and the caller reports the error.
  const options = { bodyParser: false, abortOnError: false, logger: false as const };
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, extraModules),
    adapter,
    options,
  );
  adapter.sendThrough(app.get(ApiResponses, { strict: false }));
  const health = app.get(Health);
  const server = adapter.getInstance<FastifyInstance>();
  const loopDelay = new LoopDelay();
  const connectionLimits = app.get(ConnectionLimits);
  connectionLimits.register(server);
  registerIngress(server, httpSettings, {
    isClosing: () => health.isDraining,
    isOverloaded: () => loopDelay.isTooLong,
    connectionLimits,
    ingressChecks: app.get(IngressChecks, { strict: false }),
    cors: new Cors(config.corsOrigins),
  });
  server.addHook('onClose', async () => loopDelay.stop());
  registerRequestTimeout(server, httpSettings, app.get(Clock));
  logResponses(server, PinoLogger.root);
  countResponses(server, app.get(Metrics));
  traceResponses(server);
  registerRawHandlers(server.server, httpSettings);
  await registerConsole(server, {
    surface: 'api',
    oidc: config.consoleOidc,
    links: 'development' in config.session.keys,
  });
  await app.init();
  app.get(OpenApiDocument).setApp(app);
  app.useLogger(app.get(Logger));
  return app;
}

interface ShutdownTargets {
  readonly app: NestFastifyApplication;
  readonly engine: Engine;
  readonly processRegistry: ProcessRegistry;
  readonly stores: Stores;
  readonly health: Health;
  readonly ops: OperationsPort;
  readonly connections: ConnectionTracker;
  readonly stopTracing: () => Promise<void>;
}

async function shutDown({
  app,
  engine,
  processRegistry,
  stores,
  health,
  ops,
  connections,
  stopTracing,
}: ShutdownTargets): Promise<void> {
  health.drain();
  setTimeout(() => connections.closeIdle(), CLOSE_IDLE_MS).unref();
  setTimeout(() => connections.closeAll(), CLOSE_ALL_MS).unref();
  await Promise.all([app.close(), engine.stop(), ops.rebuilds.settle()]);
  await processRegistry.unregister();
  await ops.server.close();
  await stores.close();
  await stopTracing();
}

function formatUrl(app: NestFastifyApplication, { host }: Config): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
