import type { Params } from 'nestjs-pino';
import type { Config } from './config/config.js';

/** Returns the parameters of the logger. A server hook logs the responses, so no route needs the logging middleware. */
export function toLoggerParams({ logLevel }: Config): Params {
  return { forRoutes: [], pinoHttp: { level: logLevel, serializers: { err: serializeError } } };
}

function serializeError({ name, message, stack }: Error) {
  return { name, message, stack };
}
