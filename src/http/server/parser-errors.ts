import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemHeadersFor, sendProblem, toProblem } from '../problems/problem.js';
import { type ProblemCode, statusFor } from '../problems/problem-codes.js';
import { createRejection, toRejection } from '../problems/rejection-mapping.js';
import { endInPlaceOfReset, endSoon, isEnding } from './close-soon.js';
import { type HttpSettings, isRejectedEarly, METHODS, NO_STORE, TARGET_MAX_BYTES } from './ingress.js';
import { newRequestId, requestIdFor } from './request-id.js';

/** An error of the HTTP parser. Its raw packet may contain a credential, so the error is never logged. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const METHOD_AND_PATH = /^[A-Z-]+ (\/\S*)/;

export function onClientError(error: ParserError, socket: Socket, edge: HttpSettings): void {
  const isAnswered = isResponding(socket) || (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isRejectedEarly(socket));
  // The parser reports every later packet too.
  if (isEnding(socket) && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy();
  else endSoon(socket, toRawResponse(codeFor(error), edge));
}

/** Answers an address that the router cannot parse. */
export function onFrameworkError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, security }: HttpSettings,
): void {
  void reply.headers(security).headers({ 'x-request-id': request.id, 'cache-control': NO_STORE });
  void sendProblem(request, reply, toRejection(error), publicUrl());
}

/** Rejects CONNECT: the service is not a proxy. */
export function onConnect(request: IncomingMessage, socket: Duplex, edge: HttpSettings): void {
  socket.on('error', () => socket.destroy());
  endSoon(
    socket,
    toRawResponse('method_not_allowed', edge, {
      requestId: requestIdFor(request),
      more: { allow: METHODS.join(', ') },
    }),
  );
}

/** Rejects an `Expect` header other than `100-continue`. */
export function onExpectation(request: IncomingMessage, response: ServerResponse, edge: HttpSettings): void {
  const requestId = requestIdFor(request);
  const { headers, body } = toResponse('expectation_failed', requestId, edge);
  endInPlaceOfReset(request.socket);
  response.writeHead(statusFor('expectation_failed'), headers).end(body);
}

/** Whether a response has started on the socket. Node keeps that response in a private field. */
function isResponding(socket: Socket): boolean {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent ?? false;
}

function codeFor({ code, rawPacket }: ParserError): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return overflowCodeFor(rawPacket?.toString('latin1') ?? '');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

/**
 * A packet from the middle of a request has no request line. A line break in such a packet means that headers
 * overflowed.
 */
function overflowCodeFor(packet: string): ProblemCode {
  const path = METHOD_AND_PATH.exec(packet)?.[1];
  const isOfTarget = path === undefined ? !packet.includes('\n') : path.length > TARGET_MAX_BYTES;
  return isOfTarget ? 'uri_too_long' : 'headers_too_large';
}

function toRawResponse(code: ProblemCode, edge: HttpSettings, { requestId = newRequestId(), more = {} } = {}): string {
  const { headers, body } = toResponse(code, requestId, edge);
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusFor(code)} Refused\r\n${lines.join('')}\r\n${body}`;
}

function toResponse(code: ProblemCode, requestId: string, { publicUrl, security }: HttpSettings) {
  const body = JSON.stringify(toProblem(createRejection(code), { path: '', requestId, publicUrl: publicUrl() }));
  const length = String(Buffer.byteLength(body));
  return {
    headers: {
      ...security,
      'cache-control': NO_STORE,
      ...problemHeadersFor(code),
      'x-request-id': requestId,
      'content-length': length,
      connection: 'close',
    },
    body,
  };
}
