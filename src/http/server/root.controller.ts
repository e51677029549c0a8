import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../config/config.js';
import { Access } from '../auth/access.js';
import { hasConsole } from '../console/console-files.js';
import { basePathOf, PAGE_MEDIA_TYPE, PAGE_POLICY, prefersHtml, renderPage } from '../docs/page.js';

/** Links from the base address of the service: as a page for browsers, and as JSON for other clients. */
@Controller()
@Access('public')
export class RootController {
  constructor(private readonly config: Config) {}

  @Get()
  read(@Headers('accept') accept: string | undefined, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply.header('vary', 'Accept');
    if (!prefersHtml(accept)) return this.links();
    void reply.headers({ 'content-type': PAGE_MEDIA_TYPE, 'content-security-policy': PAGE_POLICY });
    const base = basePathOf(this.config.publicUrl);
    return renderPage({ title: 'event-sourced-api', content: renderHome(base), base });
  }

  private links() {
    const url = this.config.publicUrl;
    return {
      data: {
        object: 'service',
        openapi_url: `${url}/openapi.json`,
        asyncapi_url: `${url}/asyncapi.json`,
        llms_url: `${url}/llms.txt`,
        docs_url: `${url}/docs`,
        guides_url: `${url}/docs/guides`,
        caller_url: `${url}/v1/auth/me`,
        problems_url: `${url}/problems/{code}`,
      },
    };
  }
}

function renderHome(base: string): string {
  return `<h1>event-sourced-api</h1>
<p>One HTTP API for webhooks, community and commerce.</p>
<ul class="cards">
<li><a href="${base}/docs/guides/quick-start"><strong>Quick start</strong></a> From a key to the first verified webhook, and the clients for TypeScript and Python.</li>
<li><a href="${base}/docs/guides"><strong>Guides</strong></a> Credentials, errors, idempotency, paging, webhooks.</li>
${hasConsole() ? renderConsoleLink(base) : ''}<li><a href="${base}/docs"><strong>API reference</strong></a> Every operation, with examples.</li>
<li><a href="${base}/problems"><strong>Problems</strong></a> Every error code: what it means and what to do.</li>
<li><a href="${base}/openapi.json"><strong>OpenAPI document</strong></a> The same as a file, to generate clients.</li>
<li><a href="${base}/asyncapi.json"><strong>AsyncAPI document</strong></a> Webhooks and the event stream, to generate receivers.</li>
<li><a href="${base}/llms.txt"><strong>llms.txt</strong></a> The guides as Markdown, for language models.</li>
</ul>`;
}

function renderConsoleLink(base: string): string {
  return `<li><a href="${base}/console"><strong>Console</strong></a> Deliveries, sales, communities and their history.</li>\n`;
}
