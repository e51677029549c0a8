import { type JsonSchema, nameOf, type OpenApiDocument } from '../../generator/document.ts';
import { toClassName, toSingular } from '../../generator/names.ts';
import { HEADER, isName, writeDocstring, writeItems } from './layout.ts';

const IMPORTS = `from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** A longer list of values gets a name of its own. */
const LONGEST_LITERAL = 200;

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Writes the types of the schemas that something declares, and of those that they refer to. */
export class TypeWriter {
  readonly #schemas: Readonly<Record<string, JsonSchema>>;
  readonly #classes = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  /** The names of long lists of values, by their text. */
  readonly #literals = new Map<string, string>();

  constructor({ components }: OpenApiDocument) {
    this.#schemas = components.schemas as Readonly<Record<string, JsonSchema>>;
  }

  /** Declares a schema of the document once, and returns its name. */
  declare(name: string): string {
    if (this.has(name)) return name;
    const schema = this.#schemas[name]!;
    if (schema.properties !== undefined) return this.#declareClass(name, schema);
    const type = this.toType(schema, name);
    if (type !== name) this.#aliases.set(name, `${name} = ${type}\n`);
    return name;
  }

  /** Returns the names of the properties of a declared schema. @throws when it has none */
  propertiesOf(name: string): string[] {
    const { properties } = this.#schemas[name]!;
    if (properties === undefined) throw new Error(`The body ${name} has no properties`);
    return Object.keys(properties);
  }

  /** @param name names the class of an object without a name of its own */
  toType(schema: JsonSchema, name: string): string {
    if (schema.$ref !== undefined) return this.declare(nameOf(schema));
    if (schema.const !== undefined) return `Literal[${toLiteral(schema.const)}]`;
    if (schema.enum !== undefined) return this.#toLiteralType(schema.enum.map(toLiteral), name);
    const types = [schema.type ?? []].flat();
    if (types.length > 0) return toUnion(types.map((type) => this.#toSingleType(type, schema, name)));
    if (schema.anyOf !== undefined) return toUnion(schema.anyOf.map((each) => this.toType(each, name)));
    return 'Any';
  }

  /** Returns the source of all declared types. @param events the types of the events of webhooks */
  write(events: readonly string[]): string {
    const sorted = (sources: Map<string, string>) =>
      [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, s]) => s);
    const members = events.map((each) => `    ${each},\n`).join('');
    const union = `WebhookEvent = Union[\n${members}]\n"""The body of a webhook. Its \`type\` decides the type of its \`data\`."""\n`;
    return [HEADER + IMPORTS, ...sorted(this.#classes), sorted(this.#aliases).join('\n'), union].join('\n\n');
  }

  /** Names a list of values, wherever it occurs. */
  nameValues(name: string, values: readonly string[]): void {
    this.#toLiteralType(values.map(toLiteral), name);
  }

  /** Returns whether a name is one of the declared types. */
  has(name: string): boolean {
    return this.#classes.has(name) || this.#aliases.has(name);
  }

  #toLiteralType(values: readonly string[], name: string): string {
    const literal = `Literal[${values.join(', ')}]`;
    if (literal.length <= LONGEST_LITERAL) return literal;
    const known = this.#literals.get(literal);
    if (known !== undefined) return known;
    if (this.has(name)) throw new Error(`Two types are named ${name}`);
    this.#literals.set(literal, name);
    this.#aliases.set(name, `${writeItems(`${name} = Literal[`, values, ']', '')}\n`);
    return name;
  }

  #toSingleType(type: string, schema: JsonSchema, name: string): string {
    if (type === 'array') return `List[${this.toType(schema.items ?? {}, toSingular(name))}]`;
    if (type !== 'object') return PRIMITIVES[type]!;
    if (schema.properties !== undefined) return this.#declareClass(name, schema);
    const values = schema.additionalProperties;
    return `Dict[str, ${typeof values === 'object' ? this.toType(values, `${name}Value`) : 'Any'}]`;
  }

  #declareClass(name: string, { properties, required = [], description = '' }: JsonSchema): string {
    if (this.has(name)) throw new Error(`Two schemas are named ${name}`);
    this.#classes.set(name, '');
    const fields = Object.entries(properties!).map(([field, schema]) => {
      const type = this.toType(schema, name + toClassName(...field.split(/[^A-Za-z0-9]+/)));
      const whole = required.includes(field) ? type : `NotRequired[${type}]`;
      return { field, type: whole, docstring: writeDocstring([schema.description ?? ''], '    ') };
    });
    this.#classes.set(name, writeClass(name, description, fields));
    return name;
  }
}

interface Field {
  readonly field: string;
  readonly type: string;
  readonly docstring: string;
}

/** A field whose name is no name in Python needs the other syntax, which has no docstrings. */
function writeClass(name: string, description: string, fields: readonly Field[]): string {
  if (!fields.every(({ field }) => isName(field))) {
    const items = fields.map(({ field, type }) => `    "${field}": ${JSON.stringify(type)},\n`).join('');
    return `${name} = TypedDict("${name}", {\n${items}})\n`;
  }
  const lines = fields.map(({ field, type, docstring }) => `    ${field}: ${type}\n${docstring}`);
  const docstring = writeDocstring([description], '    ');
  return `class ${name}(TypedDict):\n${docstring}${docstring !== '' && lines.length > 0 ? '\n' : ''}${lines.join('')}${
    docstring === '' && lines.length === 0 ? '    pass\n' : ''
  }`;
}

function toUnion(types: readonly string[]): string {
  const present = [...new Set(types)].filter((type) => type !== 'None');
  const union = present.length > 1 ? `Union[${present.join(', ')}]` : (present[0] ?? 'None');
  return types.includes('None') && union !== 'None' ? `Optional[${union}]` : union;
}

function toLiteral(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
