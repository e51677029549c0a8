import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import type { HttpSettings } from './ingress.js';
import { NO_SCHEMAS } from './no-schemas.js';
import { onClientError, onConnect, onExpectation, onFrameworkError, type ParserError } from './parser-errors.js';
import { requestIdFor } from './request-id.js';

/**
 * The limit of the parser: above the limits of the ingress, below the size of a packet, so that an overflow is still
 * classified.
 */
const PARSER_HEADERS_MAX_BYTES = 48 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTIONS_CHECK_MS = 2_000;

/**
 * Returns the options of Fastify. Errors of its parser and its router become problem documents too.
 * @param trustedProxies CIDR blocks of the proxies whose forwarded address is trusted
 */
export function createServerOptions(edge: HttpSettings, trustedProxies: readonly string[]): FastifyHttpOptions<Server> {
  return {
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: (raw) => requestIdFor(raw),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    schemaController: NO_SCHEMAS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // An id that is too long gets a 404, like every unknown id.
    routerOptions: { maxParamLength: PARSER_HEADERS_MAX_BYTES },
    frameworkErrors: (error, request, reply) => onFrameworkError(error, request, reply, edge),
    clientErrorHandler: (error, socket) => onClientError(error as unknown as ParserError, socket, edge),
    http: {
      requireHostHeader: false,
      maxHeaderSize: PARSER_HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
  };
}

/**
 * Handles the requests that Node does not pass to Fastify: CONNECT, and expectations. Node would tell a client to
 * continue before its credential is checked.
 */
export function registerRawHandlers(server: Server, edge: HttpSettings): void {
  server.on('connect', (request, socket) => onConnect(request, socket, edge));
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => onExpectation(request, response, edge));
}
