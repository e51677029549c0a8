import { Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { JsonDocument } from '../../kernel/read-models.js';
import type { ApiRequest } from '../auth/request-context.js';
import { type ResponseBody, toApiResponse } from './api-response.js';
import { ConsistencyHeaders } from './consistency-headers.js';
import { DocumentSerializer, isUnparsedList } from './document-serializer.js';

/** Serializes the results of handlers: removes hidden fields, decrypts fields, and sets the consistency headers. */
@Injectable()
export class ApiResponses {
  constructor(
    private readonly personal: PersonalFields,
    private readonly documents: DocumentSerializer,
    private readonly consistency: ConsistencyHeaders,
  ) {}

  async send(result: unknown, reply: FastifyReply): Promise<FastifyReply> {
    const text = await this.serialize(result, reply);
    this.setHeaders(reply);
    return reply.send(text);
  }

  setHeaders(reply: FastifyReply): void {
    this.consistency.set(reply.request as ApiRequest, reply);
  }

  private async serialize(result: unknown, reply: FastifyReply): Promise<string> {
    void reply.header('content-type', 'application/json; charset=utf-8');
    const { data, pagination } = result as ResponseBody;
    if (data instanceof JsonDocument) return `{"data":${await this.documents.serializeOne(data)}}`;
    if (isUnparsedList(data))
      return `{"data":${await this.documents.serialize(data)},"pagination":${JSON.stringify(pagination)}}`;

    const { status, body, secrets } = toApiResponse(result, reply.statusCode);
    void reply.status(status);
    const decrypted = await this.personal.decrypt(body);
    return JSON.stringify({
      ...decrypted,
      data: Object.keys(secrets).length === 0 ? decrypted.data : { ...(decrypted.data as object), ...secrets },
    });
  }
}

export function isSentAsIs(result: unknown): result is string | Buffer | StreamableFile {
  return typeof result === 'string' || Buffer.isBuffer(result) || result instanceof StreamableFile;
}
