import { escapeHtml } from '../../kernel/html.js';
import type { AssetName } from './asset-files.js';

/** A page may load the style sheet and the icon, and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
export const PAGE_MEDIA_TYPE = 'text/html; charset=utf-8';

export interface Page {
  readonly title: string;
  /** HTML, below the navigation. */
  readonly content: string;
  /** The path prefix of the public address; empty when the service has an origin of its own. */
  readonly base: string;
}

export function renderPage({ title, content, base }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
${renderHead(title, base, 'pages.css')}
</head>
<body>
<header>
<nav aria-label="Documentation">
<a class="home" href="${base}/">event-sourced-api</a>
<a href="${base}/docs/guides">Guides</a>
<a href="${base}/docs">Reference</a>
<a href="${base}/problems">Problems</a>
</nav>
</header>
<main>
${content}
</main>
</body>
</html>
`;
}

export function renderHead(title: string, base: string, styles: AssetName): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${base}/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/docs/assets/${styles}">`;
}

/** Returns the path prefix of an address: empty for `https://api.example.com`. */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** Whether the client asks for a page: a browser does, an API client does not. */
export function prefersHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false;
}
