import type { Params } from 'nestjs-pino';
import type { Config } from '../config/config.js';

const MAX_CAUSES = 3;

/** Returns the parameters of the logger. A server hook logs the responses, so no route needs the logging middleware. */
export function toLoggerParams({ logLevel }: Config): Params {
  return { forRoutes: [], pinoHttp: { level: logLevel, serializers: { err: serializeError } } };
}

function serializeError(error: Error) {
  const { name, message } = error;
  return { name, message, stack: describeStack(error) };
}

function describeStack({ stack, cause }: Error, depth = 0): string | undefined {
  if (!(cause instanceof Error) || depth === MAX_CAUSES) return stack;
  return `${stack}\ncaused by ${describeStack(cause, depth + 1)}`;
}
