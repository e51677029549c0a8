import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Logger, PinoLogger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Engine } from './engine/engine.js';
import { mustNotBeAhead } from './engine/following/ahead.js';
import { Presence } from './engine/presence.js';
import { StoreIdentity } from './engine/store-identity.js';
import { Arrivals } from './http/arrivals.js';
import { Connections } from './http/connections.js';
import { Cors } from './http/cors.js';
import { answerInTime } from './http/deadline.js';
import { guardEntrance } from './http/entrance.js';
import { measureLoad } from './http/load-shedding.js';
import { ApiDescription } from './http/openapi/description.js';
import { logAnswers } from './http/request-log.js';
import { securityHeaders } from './http/security-headers.js';
import { serverOptions, watchOddRequests } from './http/server.js';
import { Clock } from './kernel/clock.js';
import { Health } from './operations/health.js';
import { countAnswers } from './operations/metrics/answers.js';
import { Gauges } from './operations/metrics/gauges.js';
import { Metrics } from './operations/metrics/metrics.js';
import { OpsServer } from './operations/ops-server.js';
import { onceReachable, reachStores } from './reachable.js';
import { partsOf } from './roles.js';
import { Stores } from './stores/stores.js';

/** Shutdown closes idle connections after 500 ms, and all others shortly before the limit of 10 s. */
const CUT_SILENT_MS = 500;
const CUT_ALL_MS = 9_000;

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
export async function createApp(config: Config, more: readonly Type[] = []): Promise<RunningApp> {
  const app = await built(config, more);
  const [engine, presence, stores, health] = [app.get(Engine), app.get(Presence), app.get(Stores), app.get(Health)];
  const ops = new OpsServer(config, health, app.get(Metrics), app.get(Gauges));
  const connections = new Connections(app.getHttpServer());
  // Listens first, so that operators can see why a start waits.
  const opsUrl = await ops.listen();
  health.watch();
  await onceReachable(app.get(Clock), async () => {
    await reachStores(app);
    const { ports } = app.get(Stores);
    await mustNotBeAhead(ports);
    await app.get(StoreIdentity).learn();
  });
  await presence.begin();
  await engine.startServing(partsOf(config.role));
  await app.listen(config.port, config.host);
  const url = urlOf(app, config);
  config.servedAt(url);
  return { app, engine, stores, url, opsUrl, close: () => shutDown({ app, engine, presence, stores, health, ops, connections }) };
}

async function built(config: Config, more: readonly Type[]): Promise<NestFastifyApplication> {
  const edge = { publicUrl: () => config.publicUrl, security: await securityHeaders() };
  const adapter = new FastifyAdapter(serverOptions(edge, config.trustedProxies));
  // A failed start throws, and the caller reports the error.
  const options = { bodyParser: false, abortOnError: false, logger: false as const };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(config, more), adapter, options);
  const health = app.get(Health);
  const server = adapter.getInstance<FastifyInstance>();
  guardEntrance(server, edge, {
    isClosing: () => health.isDraining,
    arrivals: app.get(Arrivals, { strict: false }),
    cors: new Cors(config.corsOrigins),
  });
  server.server.maxConnections = config.connectionLimit;
  answerInTime(server, edge, app.get(Clock));
  logAnswers(server, PinoLogger.root);
  countAnswers(server, app.get(Metrics));
  await measureLoad(server);
  watchOddRequests(server.server, edge);
  await app.init();
  app.get(ApiDescription).of(app);
  app.useLogger(app.get(Logger));
  return app;
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly engine: Engine;
  readonly presence: Presence;
  readonly stores: Stores;
  readonly health: Health;
  readonly ops: OpsServer;
  readonly connections: Connections;
}

async function shutDown({ app, engine, presence, stores, health, ops, connections }: Running): Promise<void> {
  health.drain();
  setTimeout(() => connections.cutSilent(), CUT_SILENT_MS).unref();
  setTimeout(() => connections.cutAll(), CUT_ALL_MS).unref();
  await Promise.all([app.close(), engine.stop()]);
  await presence.end();
  await ops.close();
  await stores.close();
}

function urlOf(app: NestFastifyApplication, { host }: Config): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
