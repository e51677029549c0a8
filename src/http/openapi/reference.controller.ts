import { Controller, Get, Header } from '@nestjs/common';
import { Access } from '../access.js';
import { ApiDescription } from './description.js';
import { referenceOf, type ReferenceSource } from './reference.js';

@Controller('docs')
@Access('public')
export class ReferenceController {
  private page: string | null = null;

  constructor(private readonly description: ApiDescription) {}

  @Get()
  @Header('cache-control', 'public, max-age=300')
  @Header('content-type', 'text/html; charset=utf-8')
  async read(): Promise<string> {
    return (this.page ??= referenceOf(JSON.parse((await this.description.read()).json) as ReferenceSource));
  }
}
