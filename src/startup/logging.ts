import type { Params } from 'nestjs-pino';
import type { Config } from '../config/config.js';

const MAX_CAUSES = 3;

/** Lines for a person at a terminal. Programs that collect logs read JSON. */
const READABLE = {
  target: 'pino-pretty',
  options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true },
};

/** Returns the parameters of the logger. A server hook logs the responses, so no route needs the logging middleware. */
export function toLoggerParams({ logLevel }: Config): Params {
  const transport = process.stdout.isTTY ? { transport: READABLE } : {};
  return { forRoutes: [], pinoHttp: { level: logLevel, serializers: { err: serializeError }, ...transport } };
}

function serializeError(error: Error) {
  const { name, message } = error;
  return { name, message, stack: describeStack(error) };
}

function describeStack({ stack, cause }: Error, depth = 0): string | undefined {
  if (!(cause instanceof Error) || depth === MAX_CAUSES) return stack;
  return `${stack}\ncaused by ${describeStack(cause, depth + 1)}`;
}
