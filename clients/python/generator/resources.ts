import type { DocumentParameter } from '../../generator/document.ts';
import { type MethodName, nameMethods, nameParameters, toClassName, toSnakeCase } from '../../generator/names.ts';
import { describeOperation, type Operation } from '../../generator/operations.ts';
import { HEADER, toName, writeDocstring, writeItems } from './layout.ts';
import type { TypeWriter } from './types.ts';

/** The methods of the transport, and the classes of their results. */
const LISTS = {
  page: { call: 'list_pages', result: 'PageList' },
  cursor: { call: 'list_slices', result: 'CursorList' },
  stream: { call: 'stream', result: 'EventStream' },
} as const;

type Named = readonly [Operation, MethodName];

/** Returns the source of one class per noun, and one per area. */
export function writeResources(operations: readonly Operation[], types: TypeWriter, isAsync: boolean): string {
  return new ResourceWriter(types, isAsync ? 'Async' : '').write(nameMethods(operations));
}

class ResourceWriter {
  readonly #types: TypeWriter;
  /** Begins the names of the classes that await. */
  readonly #prefix: 'Async' | '';

  constructor(types: TypeWriter, prefix: 'Async' | '') {
    this.#types = types;
    this.#prefix = prefix;
  }

  write(names: Map<Operation, MethodName>): string {
    const areas = Map.groupBy(names, ([, { area }]) => area);
    const classes = [...areas].flatMap(([area, methods]) => this.#writeArea(area, methods));
    return [this.#writeHeader(), ...classes, this.#writeParent('Areas', [...areas.keys()])].join('\n\n');
  }

  #writeHeader(): string {
    const prefix = this.#prefix;
    return `${HEADER}from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Sequence

from ..event_streams import ${prefix}EventStream
from ..lists import ${prefix}CursorList, ${prefix}PageList
from ..options import RequestOptions
from ..requests import ApiRequest, segment
from ..transport import ${prefix}Resource, ${prefix}Transport
from . import types as T

if TYPE_CHECKING:
    from typing_extensions import Unpack
`;
  }

  #writeArea(area: string, methods: readonly Named[]): string[] {
    const nouns = Map.groupBy(methods, ([, { noun }]) => noun);
    const classes = [...nouns].map(([noun, those]) => this.#writeNoun(toClassName(area, noun), those));
    return [...classes, this.#writeParent(toClassName(area), [...nouns.keys()], area)];
  }

  /** @param prefix begins the class names of the members */
  #writeParent(name: string, members: readonly string[], ...prefix: readonly string[]): string {
    const fields = members.map((member) => {
      const type = this.#prefix + toClassName(...prefix, member);
      return `        self.${toName(toSnakeCase(member))} = ${type}(transport)\n`;
    });
    const transport = `${this.#prefix}Transport`;
    return `class ${this.#prefix}${name}(${this.#prefix}Resource):
    def __init__(self, transport: ${transport}) -> None:
        super().__init__(transport)
${fields.join('')}`;
  }

  #writeNoun(name: string, methods: readonly Named[]): string {
    const written = methods.map(([operation, { method }]) => this.#writeMethod(operation, method));
    return `class ${this.#prefix}${name}(${this.#prefix}Resource):\n${written.join('\n')}`;
  }

  #writeMethod(operation: Operation, method: string): string {
    const { list } = operation;
    const isAwaited = list === null && this.#prefix !== '';
    const opening = `${isAwaited ? 'async ' : ''}def ${toName(toSnakeCase(method))}(`;
    const result = this.#writeResult(operation);
    const signature = writeItems(opening, this.#writeParameters(operation), `) -> ${result}:`, '    ');
    const call = `${isAwaited ? 'await ' : ''}self._transport.${list === null ? 'call' : LISTS[list].call}(request, options)`;
    // The transport cannot know the type of a result, so it is named here.
    const returned =
      list === null ? `        result: ${result} = ${call}\n        return result\n` : `        return ${call}\n`;
    const request = writeItems('request = ApiRequest(', this.#writeRequest(operation), ')', '        ');
    return `${signature}\n${writeDocs(operation)}${request}\n${returned}`;
  }

  #writeParameters(operation: Operation): string[] {
    const { body, query } = operation;
    const ids = [...nameParameters(operation).values()].map(toSnakeCase);
    const fields = body === null ? [] : this.#types.propertiesOf(this.#types.declare(body.type));
    const clash = fields.find((field) => ['options', ...ids, ...query.map(({ name }) => name)].includes(field));
    if (clash !== undefined) throw new Error(`The field ${clash} of ${body!.type} is a parameter of ${operation.id}`);
    return [
      'self',
      ...ids.map((id) => `${id}: str`),
      '*',
      ...query.map((each) => this.#writeQueryParameter(operation, each)),
      'options: RequestOptions | None = None',
      ...(body === null ? [] : [`**body: Unpack[T.${body.type}]`]),
    ];
  }

  #writeQueryParameter({ area }: Operation, { name, schema, required }: DocumentParameter): string {
    const written = this.#types.toType(schema, toClassName(area, ...name.split('_')));
    const type = written
      .replaceAll(/\w+/g, (word) => (this.#types.has(word) ? `T.${word}` : word))
      .replace(/^List\b/, 'Sequence');
    return `${toName(name)}: ${type}${required ? '' : ' | None = None'}`;
  }

  #writeResult({ resultType, list }: Operation): string {
    if (list === 'stream') return `${this.#prefix}EventStream`;
    const names = resultType.split(' | ').map((name) => `T.${this.#types.declare(name)}`);
    return list === null ? names.join(' | ') : `${this.#prefix}${LISTS[list].result}[${names.join(' | ')}]`;
  }

  #writeRequest(operation: Operation): string[] {
    const { method, path, query, body, isKeyed } = operation;
    const ids = nameParameters(operation);
    const address = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => `{segment(${toSnakeCase(ids.get(each)!)})}`);
    return [
      `"${method}"`,
      `${ids.size > 0 ? 'f' : ''}"${address}"`,
      ...(query.length > 0 ? [writeQuery(query)] : []),
      ...(body === null ? [] : [body.required ? 'body=body' : 'body=body or None']),
      ...(isKeyed ? ['is_keyed=True'] : []),
    ];
  }
}

function writeQuery(query: readonly DocumentParameter[]): string {
  const items = query.map(({ name }) => `"${name}": ${toName(name)}`);
  return writeItems('query={', items, '}', ' '.repeat(12)).trimStart();
}

function writeDocs(operation: Operation): string {
  const [first, ...rest] = describeOperation(operation);
  const query = operation.query.map(({ name, description }) => `    ${toName(name)}: ${description}`);
  return writeDocstring([first!, ...(query.length > 0 ? ['', 'Query:', ...query] : []), ...rest], '        ');
}
