import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Config } from './config.js';

/** What a log line may hold is listed here; bodies, headers and queries are not, for they hold credentials and addresses. */
export function loggingOf({ logLevel }: Config): Params {
  return {
    // With its own default no request is logged on Fastify.
    forRoutes: ['*path'],
    pinoHttp: {
      level: logLevel,
      customAttributeKeys: { reqId: 'request_id' },
      quietReqLogger: true,
      serializers: { req: requestLine, res: statusLine, err: errorLine },
    },
  };
}

function requestLine({ id, method, url }: IncomingMessage & { id?: unknown }) {
  return { id, method, path: url?.split('?', 1)[0] };
}

function statusLine({ statusCode }: ServerResponse) {
  return { status: statusCode };
}

function errorLine({ name, message, stack }: Error) {
  return { name, message, stack };
}
