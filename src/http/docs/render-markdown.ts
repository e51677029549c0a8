import { escapeHtml } from '../../kernel/html.js';

/** Renders the Markdown of the guides as HTML. @param base the path prefix of the links */
export async function renderMarkdown(markdown: string, base: string): Promise<string> {
  // Loaded on demand, so that the service starts without it.
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }) {
        return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // The keyboard reaches content that scrolls.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      link({ href, tokens }) {
        return `<a href="${escapeHtml(toPublicPath(href, base))}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const html = await marked.parse(markdown);
  return html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>');
}

/** `errors.md#codes` → `/docs/guides/errors#codes`; a path of the service gets the prefix. */
function toPublicPath(href: string, base: string): string {
  return href.startsWith('/') ? base + href : href.replace(/^([a-z-]+)\.md(?=#|$)/, `${base}/docs/guides/$1`);
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');
}
