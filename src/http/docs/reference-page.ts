import { escapeHtml } from '../../kernel/html.js';
import { renderHead } from './page.js';

/** The reference shows requests in curl, JavaScript and Python: for other languages there is no client. */
const HIDDEN_LANGUAGES = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'kotlin', 'objc', 'ocaml', 'php', 'powershell'],
  ...['r', 'ruby', 'rust', 'swift'],
];

/** Settings of Scalar: no request to another origin, no telemetry, no fonts, no features that need an account. */
const SETTINGS = {
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  proxyUrl: '',
  hideModels: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: Object.fromEntries(HIDDEN_LANGUAGES.map((language) => [language, true])),
  defaultOpenFirstTag: true,
  theme: 'default',
};

/** Renders the page on which Scalar shows the OpenAPI document. */
export function renderReferencePage(base: string, nonce: string): string {
  const settings = JSON.stringify({
    ...SETTINGS,
    url: `${base}/openapi.json`,
    favicon: `${base}/docs/assets/icon.svg`,
  });
  return `<!doctype html>
<html lang="en">
<head>
${renderHead('API reference', base, 'reference.css')}
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
</head>
<body>
<noscript><p>The reference needs JavaScript. It shows the <a href="${base}/openapi.json">OpenAPI document</a>.</p></noscript>
<div id="api-reference" data-configuration="${escapeHtml(settings)}"></div>
<script src="${base}/docs/assets/reference.js"></script>
<script src="${base}/docs/assets/scalar.js"></script>
</body>
</html>
`;
}

/** Scalar adds style elements, which need the nonce, and style attributes. Its requests go to the API itself. */
export function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
