import { Controller, Get, Header } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Access } from '../auth/access.js';
import { type GuideName, GUIDES } from './guide-list.js';
import { readGuide } from './guides.js';

const MEDIA_TYPE = 'text/plain; charset=utf-8';
const CACHE_CONTROL = 'public, max-age=300';

/** The documentation for language models, in the form of llmstxt.org. */
@Controller()
@Access('public')
export class LlmsController {
  constructor(private readonly config: Config) {}

  @Get('llms.txt')
  @Header('content-type', MEDIA_TYPE)
  @Header('cache-control', CACHE_CONTROL)
  list(): string {
    return renderList(this.config.publicUrl);
  }

  /** All guides, one after another. */
  @Get('llms-full.txt')
  @Header('content-type', MEDIA_TYPE)
  @Header('cache-control', CACHE_CONTROL)
  async readAll(): Promise<string> {
    const names = Object.keys(GUIDES) as GuideName[];
    const guides = await Promise.all(names.map((name) => readGuide(name, this.config.publicUrl)));
    return guides.join('\n');
  }
}

function renderList(url: string): string {
  const guides = Object.entries(GUIDES).map(
    ([name, [title, summary]]) => `- [${title}](${url}/docs/guides/${name}.md): ${summary}`,
  );
  return `# event-sourced-api

> One HTTP API for webhooks, community and commerce. Base URL: ${url}

Every request below /v1 has a header \`Authorization: Bearer <key>\`. Keys that start with \`sk_test_\` move no money.

## Guides

${guides.join('\n')}

## Reference

- [OpenAPI 3.1](${url}/openapi.json): Every operation of the API, with examples.
- [AsyncAPI 3.0](${url}/asyncapi.json): Every webhook and the event stream, with examples.
- [Problems](${url}/problems): Every error code: what it means and what to do.

## Optional

- [All guides in one file](${url}/llms-full.txt): The text of every guide.
`;
}
