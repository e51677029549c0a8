import { Controller, Get, Header } from '@nestjs/common';
import { Access } from '../auth/access.js';
import { OpenApiDocument } from './openapi-document.js';
import { type ReferenceSource, renderReference } from './reference.js';

@Controller('docs')
@Access('public')
export class ReferenceController {
  private page: string | null = null;

  constructor(private readonly document: OpenApiDocument) {}

  @Get()
  @Header('cache-control', 'public, max-age=300')
  @Header('content-type', 'text/html; charset=utf-8')
  async read(): Promise<string> {
    return (this.page ??= renderReference(JSON.parse((await this.document.read()).json) as ReferenceSource));
  }
}
