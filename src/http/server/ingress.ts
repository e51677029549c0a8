import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '../../kernel/rejection.js';
import { sendProblem } from '../problems/problem.js';
import type { ProblemCode } from '../problems/problem-codes.js';
import { createRejection } from '../problems/rejection-mapping.js';
import { endAfterResponse } from './close-soon.js';
import type { ConnectionLimits } from './connection-limits.js';
import type { Cors } from './cors.js';
import type { IngressChecks } from './ingress-checks.js';
import type { SecurityHeaders } from './security-headers.js';

/** The default: responses may contain private data. Public documents set their own header. */
export const NO_STORE = 'no-store';
export const TARGET_MAX_BYTES = 8 * 1024;
const HEADERS_MAX_BYTES = 16 * 1024;
const HOST = 'host';
const AUTHORIZATION = 'authorization';
/** A response of this version has no status line, so its client would take the headers for the body. */
const WITHOUT_HEADERS = '0.9';
const BODY_MAX_BYTES = 1024 * 1024;
export const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** The bytes of a body with their media type and encoding. The pipe parses them, after the guards. */
export class RawBody {
  constructor(
    readonly bytes: Buffer,
    readonly mediaType: string | undefined,
    readonly encoding: string | undefined,
  ) {}
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The original Content-Type header. */
    sentMediaType?: string;
  }
}

/**
 * Connections whose last request was rejected before its body was read. When that body stalls, no second response is
 * sent.
 */
const rejectedEarly = new WeakSet<Socket>();

export function isRejectedEarly(socket: Socket): boolean {
  return rejectedEarly.has(socket);
}

/** The settings that every error response needs. */
export interface HttpSettings {
  readonly publicUrl: () => string;
  readonly security: SecurityHeaders;
}

export interface IngressOptions {
  /** The process is shutting down and accepts no new requests. */
  readonly isClosing: () => boolean;
  readonly isOverloaded: () => boolean;
  readonly connectionLimits: ConnectionLimits;
  readonly ingressChecks: IngressChecks;
  readonly cors: Cors;
}

/** Rejects requests before their body is read, and collects the bytes of bodies. */
export function registerIngress(
  server: FastifyInstance,
  { publicUrl, security }: HttpSettings,
  { isClosing, isOverloaded, connectionLimits, ingressChecks, cors }: IngressOptions,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(security).header('x-request-id', request.id).header('cache-control', NO_STORE);
    cors.setHeaders(request, reply);
    if (cors.isPreflight(request)) return cors.answerPreflight(reply);
    const checkRoute = () => {
      const refusal = rejectUnknownRoute(server, request, reply);
      return refusal && ingressChecks.checkUnknownRoute(refusal, request, reply);
    };
    const refusal =
      (isClosing() ? rejectClosing(request, reply) : null) ??
      (isOverloaded() ? createRejection('service_unavailable') : null) ??
      connectionLimits.countForwarded(request, reply) ??
      rejectMalformed(request) ??
      checkRoute() ??
      ingressChecks.checkCredential(request, reply);
    if (refusal !== null) {
      rejectedEarly.add(request.raw.socket);
      return void sendProblem(request, reply, refusal, publicUrl());
    }
    rejectedEarly.delete(request.raw.socket);
    hideMediaType(request);
    done();
  });
  collectRawBodies(server, BODY_MAX_BYTES);
}

/** Leaves every body unparsed. A client that waits for `100 Continue` gets it when no check has rejected its request. */
export function collectRawBodies(server: FastifyInstance, bodyLimit: number): void {
  server.addHook('preParsing', ({ raw }, reply, _, done) => {
    if (raw.headers.expect !== undefined) reply.raw.writeContinue();
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (request, bytes, done) => {
    const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
    done(null, new RawBody(bytes as Buffer, request.sentMediaType ?? mediaType, encoding));
  });
}

function rejectClosing(request: FastifyRequest, reply: FastifyReply): Rejection {
  endAfterResponse(request, reply);
  return createRejection('service_unavailable');
}

function rejectMalformed({ raw }: FastifyRequest): Rejection | null {
  const code = findProblemCode(raw);
  return code === null ? null : createRejection(code);
}

function findProblemCode({ url, headers, rawHeaders, httpVersion }: IncomingMessage): ProblemCode | null {
  if (url!.length > TARGET_MAX_BYTES) return 'uri_too_long';
  if (Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES) return 'payload_too_large';
  let bytes = 0;
  let hosts = 0;
  let credentials = 0;
  for (let i = 0; i < rawHeaders.length; i++) {
    const text = rawHeaders[i]!;
    bytes += text.length + 2;
    if (i % 2 !== 0) continue;
    if (text.length === HOST.length && text.toLowerCase() === HOST) hosts++;
    else if (text.length === AUTHORIZATION.length && text.toLowerCase() === AUTHORIZATION) credentials++;
  }
  if (bytes > HEADERS_MAX_BYTES) return 'headers_too_large';
  // A proxy may take another one of two headers than this service does.
  const isWithoutHost = hosts === 0 && httpVersion === '1.1';
  return hosts > 1 || credentials > 1 || isWithoutHost || httpVersion === WITHOUT_HEADERS ? 'bad_request' : null;
}

/** Returns 404 or 405 for a request without a route. */
export function rejectUnknownRoute(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Rejection | null {
  if (!request.is404) return null;
  const url = request.url.split('?', 1)[0]!;
  // The router would treat the asterisk of `OPTIONS *` as the root path.
  const allowed = url === '*' ? [] : findMethods(server, url);
  if (allowed.length === 0) return Rejection.notFound();
  void reply.header('allow', allowed.join(', '));
  return new Rejection('method_not_allowed', `The allowed methods are ${allowed.join(', ')}.`);
}

/** Removes the header: Fastify would reject an invalid media type before the guards check the credential. */
function hideMediaType(request: FastifyRequest): void {
  request.sentMediaType = request.raw.headers['content-type'];
  delete request.raw.headers['content-type'];
}

/** Returns the methods of the most specific path: `tasks/progress` is not the `tasks/:key` of another route. */
function findMethods(server: FastifyInstance, url: string): string[] {
  const found = METHODS.flatMap((method) => {
    const route = server.findRoute({ method, url });
    return route === null ? [] : [{ method, params: Object.keys(route.params).length }];
  });
  const fewest = Math.min(...found.map(({ params }) => params));
  return found.filter(({ params }) => params === fewest).map(({ method }) => method);
}
