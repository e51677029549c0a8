import { type MethodName, nameMethods, nameParameters, toClassName } from '../../generator/names.ts';
import { describeOperation, type Operation } from '../../generator/operations.ts';

const HEADER = `// Generated from the OpenAPI document by \`npm run client\`. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { EventStream } from '../event-stream.ts';
import type { CursorList, PageList } from '../lists.ts';
import type { RequestOptions } from '../options.ts';
import { Resource, segment } from '../resource.ts';
import type * as T from './types.gen.ts';
`;

const CALLS = { page: 'listPages', cursor: 'listSlices', stream: 'stream' } as const;

/** Returns the source of one class per noun, and one per area. */
export function writeResources(operations: readonly Operation[]): string {
  const names = nameMethods(operations);
  const areas = Map.groupBy(names, ([, { area }]) => area);
  const written = [...areas].flatMap(([area, methods]) => writeArea(area, methods));
  return [HEADER, ...written, writeParent('Areas', [...areas.keys()])].join('\n');
}

function writeArea(area: string, methods: readonly (readonly [Operation, MethodName])[]): string[] {
  const nouns = Map.groupBy(methods, ([, { noun }]) => noun);
  const classes = [...nouns].map(([noun, those]) => writeNoun(toClassName(area, noun), those));
  return [...classes, writeParent(toClassName(area), [...nouns.keys()], area)];
}

/** @param prefix begins the class names of the members */
function writeParent(name: string, members: readonly string[], ...prefix: readonly string[]): string {
  const fields = members.map((member) => {
    const type = toClassName(...prefix, member);
    return `  readonly ${member}: ${type} = new ${type}(this.transport);\n`;
  });
  return `export class ${name} extends Resource {\n${fields.join('')}}\n`;
}

function writeNoun(name: string, methods: readonly (readonly [Operation, MethodName])[]): string {
  const written = methods.map(([operation, { method }]) => writeMethod(operation, method));
  return `export class ${name} extends Resource {\n${written.join('\n')}}\n`;
}

function writeMethod(operation: Operation, name: string): string {
  const { method, path, body, query, isKeyed, list } = operation;
  const names = nameParameters(operation);
  const parameters = [
    ...[...names.values()].map((each) => `${each}: string`),
    ...(body === null ? [] : [`body${body.required ? '' : '?'}: T.${body.type}`]),
    ...(query.length > 0 ? [`query?: T.${toClassName(operation.id)}Data['query']`] : []),
    'options?: RequestOptions',
  ];
  const address = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => `\${segment(${names.get(each)})}`);
  const request = [
    `method: '${method}'`,
    `path: \`${address}\``,
    ...(body === null ? [] : ['body']),
    ...(query.length > 0 ? ['query'] : []),
    ...(isKeyed ? ['isKeyed: true'] : []),
  ];
  const call = list === null ? 'call' : CALLS[list];
  return `${writeComment(operation)}  ${name}(${parameters.join(', ')}): ${toResult(operation)} {
    return this.transport.${call}({ ${request.join(', ')} }, options);
  }
`;
}

function toResult({ resultType, list }: Operation): string {
  if (list === 'stream') return 'EventStream';
  const type = resultType.replaceAll(/\w+/g, 'T.$&');
  return list === null ? `ApiPromise<${type}>` : list === 'page' ? `PageList<${type}>` : `CursorList<${type}>`;
}

function writeComment(operation: Operation): string {
  const lines = describeOperation(operation).map((line) => `   * ${line}`.trimEnd());
  return `  /**\n${lines.join('\n')}\n   */\n`;
}
