import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../config/config.js';
import { Rejection } from '../../kernel/rejection.js';
import { Access } from '../auth/access.js';
import { basePathOf, PAGE_MEDIA_TYPE, PAGE_POLICY, prefersHtml, renderPage } from '../docs/page.js';
import { isProblemCode, titleFor } from './problem-codes.js';
import { renderProblem, renderProblemList, renderUnknownProblem } from './problem-pages.js';

/** Serves the page about a problem code, to which the `type` of a problem document links. */
@Controller('problems')
@Access('public')
export class ProblemsController {
  constructor(private readonly config: Config) {}

  @Get()
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', PAGE_MEDIA_TYPE)
  @Header('content-security-policy', PAGE_POLICY)
  list(): string {
    return renderPage({ title: 'Problems', content: renderProblemList(this.base), base: this.base });
  }

  @Get(':code')
  @Header('content-type', PAGE_MEDIA_TYPE)
  @Header('content-security-policy', PAGE_POLICY)
  read(
    @Param('code') code: string,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    if (isProblemCode(code)) {
      void reply.header('cache-control', 'public, max-age=3600');
      return renderPage({ title: titleFor(code), content: renderProblem(code, this.base), base: this.base });
    }
    if (!prefersHtml(accept)) throw Rejection.notFound();
    void reply.status(404);
    return renderPage({ title: 'Unknown problem', content: renderUnknownProblem(this.base), base: this.base });
  }

  private get base(): string {
    return basePathOf(this.config.publicUrl);
  }
}
