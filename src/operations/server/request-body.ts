import type { IncomingMessage } from 'node:http';
import { createRejection } from '../../http/problems/rejection-mapping.js';
import { RawBody } from '../../http/server/ingress.js';
import { isJsonObject, parseJsonBody } from '../../http/validation/json-body.js';
import { Rejection } from '../../kernel/rejection.js';
import type { GivenValues } from './route.js';

const MAX_BYTES = 16 * 1024;

/** Reads a JSON object; an empty body is an empty object. @throws Rejection */
export async function readJsonObject(request: IncomingMessage): Promise<GivenValues> {
  const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
  const body = (await parseJsonBody(new RawBody(await readBytes(request), mediaType, encoding))) ?? {};
  if (!isJsonObject(body)) throw new Rejection('validation_failed', 'The body must be a JSON object.');
  return body;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw createRejection('payload_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
