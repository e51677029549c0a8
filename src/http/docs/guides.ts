import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCS_FOLDER } from './asset-files.js';
import { QUESTIONS } from './questions.js';
import { renderMarkdown } from './render-markdown.js';

/** The guides in `docs/guides`, in the order in which they are listed. */
export const GUIDES = {
  'quick-start': ['Quick start', 'From a key to the first verified webhook.'],
  authentication: ['Authentication', 'Keys, sessions and cart tokens, live and test mode.'],
  selling: ['Selling', 'From a product and its approval to an order and a refund.'],
  'test-payments': [
    'Test payments',
    'Declined cards, failed renewals, trials and cancellations, by a clock that you set.',
  ],
  communities: ['Communities', 'Members, invites, channels, posts, points, challenges and bans.'],
  webhooks: ['Webhooks', 'Receive events, on your own machine too, and replay what failed.'],
  'verify-webhooks': [
    'Verify webhooks',
    'Check signatures in seven languages, and read the raw body in common frameworks.',
  ],
  errors: ['Errors', 'Problem documents, and how to react to them.'],
  idempotency: ['Idempotency', 'Repeat a request without doing its work twice.'],
  paging: ['Lists and paging', 'Pages, cursors and filters.'],
  'rate-limits': ['Rate limits', 'How fast you may send requests, and what to do beyond.'],
  files: ['Files and images', 'Where files are, and what the service does with their addresses.'],
  'change-history': ['Change history', 'Who changed what, when and why.'],
  'moving-in': ['Moving in', 'Bring members, points and more from another system.'],
} as const satisfies Readonly<Record<string, readonly [title: string, summary: string]>>;

export type GuideName = keyof typeof GUIDES;

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
  const markdown = await readFile(join(DOCS_FOLDER, 'guides', `${name}.md`), 'utf8');
  return renderMarkdown(markdown.replaceAll(LOCAL_URL, publicUrl), base);
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
