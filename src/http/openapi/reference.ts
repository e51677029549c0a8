import { escaped, htmlOf } from '../html.js';

/** The parts of the OpenAPI document that the page shows. */
export interface ReferenceSource {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Message>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message | Reference>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: { readonly enum?: readonly string[] };
}

interface Message {
  readonly description?: string;
  readonly content?: {
    readonly 'application/json'?: { readonly example?: unknown };
    readonly 'application/problem+json'?: { readonly examples: Readonly<Record<string, unknown>> };
  };
}

interface Reference {
  readonly $ref: string;
}

/** Renders the OpenAPI document as plain HTML, without scripts and styles. */
export function referenceOf(document: ReferenceSource): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]) => ({
      tags: told.tags,
      html: operation(document, `${method.toUpperCase()} ${path}`, told),
    })),
  );
  const areas = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags.includes(name)).map(({ html }) => html);
    return `<h2>${name}</h2>\n<p>${htmlOf(description)}</p>\n${own.join('\n')}`;
  });
  const events = Object.entries(document.webhooks).map(([type, { post }]) => operation(document, type, post));
  const { title, description } = document.info;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<h1>${escaped(title)}</h1>
<p>${htmlOf(description)}</p>
<p>This page as an OpenAPI document: <a href="/openapi.json">openapi.json</a></p>
${areas.join('\n')}
<h2>Requests to endpoints</h2>
${events.join('\n')}
</html>
`;
}

function operation({ components }: ReferenceSource, name: string, told: Operation): string {
  const parameters = told.parameters.map((one) => parameter(resolved(components.parameters, one)));
  const responses = Object.entries(told.responses).map(([status, one]) => response(status, resolved(components.responses, one)));
  return `<details id="${told.operationId}">
<summary><code>${escaped(name)}</code> ${escaped(told.summary)}</summary>
<p>${htmlOf(told.description)}</p>
<ul>${parameters.join('\n')}</ul>
${example('Request', told.requestBody)}
${responses.join('\n')}
</details>`;
}

function parameter({ name, in: place, required = false, description = '', schema }: Parameter): string {
  const allowed = schema.enum === undefined ? '' : ` One of ${schema.enum.join(', ')}.`;
  return `<li><code>${escaped(name)}</code> (${place}${required ? ', required' : ''}) ${htmlOf(description + allowed)}</li>`;
}

function response(status: string, told: Message): string {
  const problems = told.content?.['application/problem+json'];
  if (problems === undefined) return `<p>${status}: ${htmlOf(told.description ?? '')}</p>\n${example('Answer', told)}`;
  const codes = Object.keys(problems.examples).map((code) => `<a href="/problems/${code}">${code}</a>`);
  return `<p>${status}: ${codes.join(', ')}</p>`;
}

function example(title: string, told: Message | undefined): string {
  const shown = told?.content?.['application/json']?.example;
  return shown === undefined ? '' : `<p>${title}, for example</p>\n<pre>${escaped(JSON.stringify(shown, null, 2))}</pre>`;
}

function resolved<T extends object>(components: Readonly<Record<string, T>>, value: T | Reference): T {
  return '$ref' in value ? components[value.$ref.split('/').at(-1)!]! : value;
}
