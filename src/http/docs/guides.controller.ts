import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../config/config.js';
import { Rejection } from '../../kernel/rejection.js';
import { Access } from '../auth/access.js';
import { type GuideName, GUIDES } from './guide-list.js';
import { isGuide, readGuide, renderGuide, renderGuideList } from './guides.js';
import { basePathOf, PAGE_MEDIA_TYPE, PAGE_POLICY, prefersHtml, renderPage } from './page.js';

const MARKDOWN_MEDIA_TYPE = 'text/markdown; charset=utf-8';

@Controller('docs/guides')
@Access('public')
export class GuidesController {
  private readonly pages = new Map<GuideName, Promise<string>>();

  constructor(private readonly config: Config) {}

  @Get()
  @Header('cache-control', 'public, max-age=300')
  @Header('content-type', PAGE_MEDIA_TYPE)
  @Header('content-security-policy', PAGE_POLICY)
  list(): string {
    return renderPage({ title: 'Guides', content: renderGuideList(this.base), base: this.base });
  }

  /** The name of a guide is that of its page; with `.md`, it is that of its Markdown. */
  @Get(':name')
  @Header('content-type', PAGE_MEDIA_TYPE)
  @Header('content-security-policy', PAGE_POLICY)
  read(
    @Param('name') name: string,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> | string {
    const guide = name.replace(/\.md$/, '');
    if (isGuide(guide)) {
      void reply.header('cache-control', 'public, max-age=300');
      if (guide === name) return this.readPage(guide);
      void reply.header('content-type', MARKDOWN_MEDIA_TYPE);
      return readGuide(guide, this.config.publicUrl);
    }
    if (!prefersHtml(accept)) throw Rejection.notFound();
    void reply.status(404);
    return renderPage({ title: 'Unknown guide', content: renderGuideList(this.base), base: this.base });
  }

  /** Each guide is rendered once. */
  private readPage(name: GuideName): Promise<string> {
    const page = this.pages.get(name) ?? this.render(name);
    this.pages.set(name, page);
    return page;
  }

  private async render(name: GuideName): Promise<string> {
    const { base } = this;
    const content = await renderGuide(name, { base, publicUrl: this.config.publicUrl });
    return renderPage({ title: GUIDES[name][0], content, base });
  }

  private get base(): string {
    return basePathOf(this.config.publicUrl);
  }
}
