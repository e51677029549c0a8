import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../access.js';
import { ApiDescription } from './description.js';

@Controller('openapi.json')
@Access('public')
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  async read(@Headers('if-none-match') known: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { json, etag } = await this.description.read();
    void reply.header('etag', etag);
    if (known !== etag) return json;
    void reply.status(304);
    return '';
  }
}
