import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCS_FOLDER } from './asset-files.js';
import { type GuideName, GUIDES } from './guide-list.js';
import { QUESTIONS } from './questions.js';
import { renderMarkdown } from './render-markdown.js';

export interface GuideContext {
  readonly base: string;
  readonly publicUrl: string;
}

/** The address of the service in the commands of the guides. */
const LOCAL_URL = 'http://127.0.0.1:3000';

export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(GUIDES, name);
}

/** Renders a guide. Its commands call this service. */
export async function renderGuide(name: GuideName, { base, publicUrl }: GuideContext): Promise<string> {
  return renderMarkdown(await readMarkdown(name, publicUrl), base);
}

/** Returns the Markdown of a guide with absolute links, so that it can be read anywhere. */
export async function readGuide(name: GuideName, publicUrl: string): Promise<string> {
  const markdown = await readMarkdown(name, publicUrl);
  return markdown
    .replaceAll(/\]\(([a-z-]+\.md)/g, `](${publicUrl}/docs/guides/$1`)
    .replaceAll('](/', `](${publicUrl}/`);
}

async function readMarkdown(name: GuideName, publicUrl: string): Promise<string> {
  const markdown = await readFile(join(DOCS_FOLDER, 'guides', `${name}.md`), 'utf8');
  return markdown.replaceAll(LOCAL_URL, publicUrl);
}

/** Lists the guides, and then the goals of readers. */
export function renderGuideList(base: string): string {
  const items = Object.entries(GUIDES).map(
    ([name, [title, summary]]) =>
      `<li><a href="${base}/docs/guides/${name}"><strong>${title}</strong></a> ${summary}</li>`,
  );
  const goals = QUESTIONS.map(([goal, guide, anchor]) => {
    const part = anchor === undefined ? '' : `#${anchor}`;
    return `<li><a href="${base}/docs/guides/${guide}${part}">${goal}</a></li>`;
  });
  return `<h1>Guides</h1>
<ul class="cards">
${items.join('\n')}
</ul>
<h2>I want to …</h2>
<ul>
${goals.join('\n')}
</ul>`;
}
