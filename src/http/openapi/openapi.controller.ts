import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../auth/access.js';
import { OpenApiDocument, type SerializedDocument } from './openapi-document.js';

const MEDIA_TYPE = 'application/json; charset=utf-8';
const CACHE_CONTROL = 'public, max-age=300';

@Controller()
@Access('public')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Get('openapi.json')
  @Header('content-type', MEDIA_TYPE)
  @Header('cache-control', CACHE_CONTROL)
  async readOpenApi(
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toContent(await this.document.read(), known, reply);
  }

  @Get('asyncapi.json')
  @Header('content-type', MEDIA_TYPE)
  @Header('cache-control', CACHE_CONTROL)
  async readAsyncApi(
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return toContent(await this.document.readAsyncApi(), known, reply);
  }
}

/** The content is empty for a client that knows it. */
function toContent({ json, etag }: SerializedDocument, known: string | undefined, reply: FastifyReply): string {
  void reply.header('etag', etag);
  if (known !== etag) return json;
  void reply.status(304);
  return '';
}
