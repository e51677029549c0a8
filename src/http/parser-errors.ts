import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { statusOf, type Code } from './codes.js';
import { headersOf, problemOf, refuse } from './problem.js';
import { refusalOf, rejection } from './refusals.js';
import { newRequestId, requestIdOf } from './request-id.js';

/** An error of the HTTP parser. It holds the raw packet, and that the credential: it is never logged. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** What never became a request is answered on the bare socket. */
export function onClientError(error: ParserError, socket: Socket, publicUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) socket.destroy();
  else socket.end(rawAnswer(codeOf(error), publicUrl));
}

/** Addresses that the router cannot read. */
export function onFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  void reply.header('x-request-id', request.id);
  void refuse(request, reply, refusalOf(error), publicUrl);
}

/** An `Expect` other than `100-continue`. */
export function onExpectation(request: IncomingMessage, response: ServerResponse, publicUrl: string): void {
  const requestId = requestIdOf(request);
  const { headers, body } = answer('expectation_failed', requestId, publicUrl);
  response.writeHead(statusOf('expectation_failed'), { ...headers, 'x-request-id': requestId }).end(body);
}

/** Nothing can be said in the middle of another answer. Node keeps the one under way where its own handler looks too. */
function isAnswering(socket: Socket): boolean {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent ?? false;
}

function codeOf({ code, rawPacket }: ParserError): Code {
  if (code === 'HPE_HEADER_OVERFLOW') return rawPacket?.includes('\n') ? 'headers_too_large' : 'uri_too_long';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'bad_request';
}

function rawAnswer(code: Code, publicUrl: string): string {
  const requestId = newRequestId();
  const { headers, body } = answer(code, requestId, publicUrl);
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  return `HTTP/1.1 ${statusOf(code)} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

function answer(code: Code, requestId: string, publicUrl: string) {
  const body = JSON.stringify(problemOf(rejection(code), { path: '', requestId, publicUrl }));
  return { headers: { ...headersOf(code), 'content-length': String(Buffer.byteLength(body)), connection: 'close' }, body };
}
