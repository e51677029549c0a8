import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../auth/access.js';
import { OpenApiDocument } from './openapi-document.js';

@Controller('openapi.json')
@Access('public')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  async read(
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { json, etag } = await this.document.read();
    void reply.header('etag', etag);
    if (known !== etag) return json;
    void reply.status(304);
    return '';
  }
}
