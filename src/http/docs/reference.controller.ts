import { randomBytes } from 'node:crypto';
import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../config/config.js';
import { Access } from '../auth/access.js';
import { basePathOf, PAGE_MEDIA_TYPE } from './page.js';
import { referencePolicy, renderReferencePage } from './reference-page.js';

const NONCE_BYTES = 16;

@Controller('docs')
@Access('public')
export class ReferenceController {
  constructor(private readonly config: Config) {}

  /** The page is not cached, because its nonce is for one response. */
  @Get()
  @Header('content-type', PAGE_MEDIA_TYPE)
  read(@Res({ passthrough: true }) reply: FastifyReply): string {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    void reply.header('content-security-policy', referencePolicy(nonce));
    return renderReferencePage(basePathOf(this.config.publicUrl), nonce);
  }
}
