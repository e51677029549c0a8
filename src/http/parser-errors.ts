import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { statusOf, type Code } from './codes.js';
import { isAnsweredEarly, METHODS, NO_STORE, TARGET_MAX_BYTES } from './entrance.js';
import { headersOf, problemOf, refuse } from './problem.js';
import { refusalOf, rejection } from './refusals.js';
import { newRequestId, requestIdOf } from './request-id.js';
import type { SecurityHeaders } from './security-headers.js';

/** An error of the HTTP parser. Its raw packet may contain a credential, so the error is never logged. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const METHOD_AND_PATH = /^[A-Z-]+ (\/\S*)/;

/** The settings that every error response needs. */
export interface EdgeSettings {
  readonly publicUrl: () => string;
  readonly security: SecurityHeaders;
}

/** Answers a parser error on the socket. */
export function onClientError(error: ParserError, socket: Socket, edge: EdgeSettings): void {
  const isAnswered = isAnswering(socket) || (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isAnsweredEarly(socket));
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy();
  else socket.end(rawAnswer(codeOf(error), edge));
}

/** Answers an address that the router cannot parse. */
export function onFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply, { publicUrl, security }: EdgeSettings): void {
  void reply.headers(security).headers({ 'x-request-id': request.id, 'cache-control': NO_STORE });
  void refuse(request, reply, refusalOf(error), publicUrl());
}

/** Rejects CONNECT: the service is not a proxy. */
export function onConnect(request: IncomingMessage, socket: Duplex, edge: EdgeSettings): void {
  socket.on('error', () => socket.destroy());
  socket.end(rawAnswer('method_not_allowed', edge, { requestId: requestIdOf(request), more: { allow: METHODS.join(', ') } }));
}

/** Rejects an `Expect` header other than `100-continue`. */
export function onExpectation(request: IncomingMessage, response: ServerResponse, edge: EdgeSettings): void {
  const requestId = requestIdOf(request);
  const { headers, body } = answer('expectation_failed', requestId, edge);
  response.writeHead(statusOf('expectation_failed'), headers).end(body);
}

/** Whether a response has started on the socket. Node keeps that response in a private field. */
function isAnswering(socket: Socket): boolean {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent ?? false;
}

function codeOf({ code, rawPacket }: ParserError): Code {
  if (code === 'HPE_HEADER_OVERFLOW') return overflowOf(rawPacket?.toString('latin1') ?? '');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

/**
 * A packet from the middle of a request has no request line. A line break in such a packet means that headers
 * overflowed.
 */
function overflowOf(packet: string): Code {
  const path = METHOD_AND_PATH.exec(packet)?.[1];
  const isOfTarget = path === undefined ? !packet.includes('\n') : path.length > TARGET_MAX_BYTES;
  return isOfTarget ? 'uri_too_long' : 'headers_too_large';
}

function rawAnswer(code: Code, edge: EdgeSettings, { requestId = newRequestId(), more = {} } = {}): string {
  const { headers, body } = answer(code, requestId, edge);
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusOf(code)} Refused\r\n${lines.join('')}\r\n${body}`;
}

function answer(code: Code, requestId: string, { publicUrl, security }: EdgeSettings) {
  const body = JSON.stringify(problemOf(rejection(code), { path: '', requestId, publicUrl: publicUrl() }));
  const length = String(Buffer.byteLength(body));
  return {
    headers: {
      ...security,
      'cache-control': NO_STORE,
      ...headersOf(code),
      'x-request-id': requestId,
      'content-length': length,
      connection: 'close',
    },
    body,
  };
}
