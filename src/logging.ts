import type { Params } from 'nestjs-pino';
import type { Config } from './config.js';

/** Answers are logged by a hook of the server's, so no route has the middleware. */
export function loggingOf({ logLevel }: Config): Params {
  return { forRoutes: [], pinoHttp: { level: logLevel, serializers: { err: errorLine } } };
}

function errorLine({ name, message, stack }: Error) {
  return { name, message, stack };
}
