import { escapeHtml, toHtml } from '../../html.js';

/** The parts of the OpenAPI document that the page shows. */
export interface ReferenceSource {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: ReferenceOperation }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ReferenceParameter>>;
    readonly responses: Readonly<Record<string, ReferenceContent>>;
  };
}

interface ReferenceOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (ReferenceParameter | JsonReference)[];
  readonly requestBody?: ReferenceContent;
  readonly responses: Readonly<Record<string, ReferenceContent | JsonReference>>;
}

interface ReferenceParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: { readonly enum?: readonly string[] };
}

interface ReferenceContent {
  readonly description?: string;
  readonly content?: {
    readonly 'application/json'?: { readonly example?: unknown };
    readonly 'application/problem+json'?: { readonly examples: Readonly<Record<string, unknown>> };
  };
}

interface JsonReference {
  readonly $ref: string;
}

/** Renders the OpenAPI document as plain HTML, without scripts and styles. */
export function renderReference(document: ReferenceSource): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, details]) => ({
      tags: details.tags,
      html: renderOperation(document, `${method.toUpperCase()} ${path}`, details),
    })),
  );
  const areas = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags.includes(name)).map(({ html }) => html);
    return `<h2>${name}</h2>\n<p>${toHtml(description)}</p>\n${own.join('\n')}`;
  });
  const events = Object.entries(document.webhooks).map(([type, { post }]) => renderOperation(document, type, post));
  const { title, description } = document.info;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>${toHtml(description)}</p>
<p>This page as an OpenAPI document: <a href="/openapi.json">openapi.json</a></p>
${areas.join('\n')}
<h2>Requests to endpoints</h2>
${events.join('\n')}
</html>
`;
}

function renderOperation({ components }: ReferenceSource, name: string, details: ReferenceOperation): string {
  const parameters = details.parameters.map((one) => renderParameter(resolveReference(components.parameters, one)));
  const responses = Object.entries(details.responses).map(([status, one]) =>
    renderResponse(status, resolveReference(components.responses, one)),
  );
  return `<details id="${details.operationId}">
<summary><code>${escapeHtml(name)}</code> ${escapeHtml(details.summary)}</summary>
<p>${toHtml(details.description)}</p>
<ul>${parameters.join('\n')}</ul>
${renderExample('Request', details.requestBody)}
${responses.join('\n')}
</details>`;
}

function renderParameter({ name, in: place, required = false, description = '', schema }: ReferenceParameter): string {
  const allowed = schema.enum === undefined ? '' : ` One of ${schema.enum.join(', ')}.`;
  return `<li><code>${escapeHtml(name)}</code> (${place}${required ? ', required' : ''}) ${toHtml(description + allowed)}</li>`;
}

function renderResponse(status: string, content: ReferenceContent): string {
  const problems = content.content?.['application/problem+json'];
  if (problems === undefined)
    return `<p>${status}: ${toHtml(content.description ?? '')}</p>\n${renderExample('Answer', content)}`;
  const codes = Object.keys(problems.examples).map((code) => `<a href="/problems/${code}">${code}</a>`);
  return `<p>${status}: ${codes.join(', ')}</p>`;
}

function renderExample(title: string, content: ReferenceContent | undefined): string {
  const shown = content?.content?.['application/json']?.example;
  return shown === undefined
    ? ''
    : `<p>${title}, for example</p>\n<pre>${escapeHtml(JSON.stringify(shown, null, 2))}</pre>`;
}

function resolveReference<T extends object>(components: Readonly<Record<string, T>>, value: T | JsonReference): T {
  return '$ref' in value ? components[value.$ref.split('/').at(-1)!]! : value;
}
