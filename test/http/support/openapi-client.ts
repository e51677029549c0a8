import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Service } from '../../support/service.js';

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- the document has no static type */
export type Json = any;

export interface Operation {
  /** `POST /v1/commerce/carts` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly details: Json;
  /** The first status of success. */
  readonly status: number;
  readonly idempotencyKey: 'required' | 'honoured' | null;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const FORMATS = {
  'date-time': TIME,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uri: (text: string) => URL.canParse(text),
  email: /^[^@\s]+@[^@\s]+$/,
};

/** The OpenAPI document of a running service. */
export class OpenApiClient {
  readonly operations: readonly Operation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });

  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(readonly document: Json) {
    this.operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, details]) => this.toOperation(method, path, details)),
    );
    this.ajv.addSchema({
      $id: 'api:',
      components: { ...document.components, schemas: closeSchema(document.components.schemas) },
    });
  }

  static async read(service: Service): Promise<OpenApiClient> {
    return new OpenApiClient((await service.createApi().get('/openapi.json')).body);
  }

  find(operationId: string): Operation {
    const found = this.operations.find(({ details }) => details.operationId === operationId);
    if (found === undefined) throw new Error(`The document has no operation ${operationId}`);
    return found;
  }

  /** Resolves a reference to `#/components/…`; returns other values unchanged. */
  resolve(value: Json): Json {
    if (typeof value?.$ref !== 'string') return value;
    return value.$ref
      .slice(2)
      .split('/')
      .reduce((inner: Json, key: string) => inner?.[key], this.document);
  }

  /** Returns the errors in a value as sentences. An undocumented field is an error. */
  validate(value: unknown, schema: Json): string[] {
    const validate = this.compile(schema);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Returns the documented problem codes of an operation for a status. */
  codesFor({ details }: Operation, status: number | string): readonly string[] {
    return this.resolve(details.responses[status])?.['x-problem-codes'] ?? [];
  }

  private compile(schema: Json): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api:#/');
    const validate = this.validators.get(text) ?? this.ajv.compile(JSON.parse(text));
    this.validators.set(text, validate);
    return validate;
  }

  private toOperation(method: string, path: string, details: Json): Operation {
    const [first, ...more] = Object.keys(details.responses).filter((one) => one.startsWith('2'));
    const status = Number(more.includes('201') ? '201' : first);
    const key = details.parameters
      .map((one: Json) => this.resolve(one))
      .find(({ name }: Json) => name === 'Idempotency-Key');
    const idempotencyKey = key === undefined ? null : key.required ? 'required' : 'honoured';
    return {
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      details,
      status,
      idempotencyKey,
    };
  }
}

/** Forbids undeclared fields in the schema. */
export function closeSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closeSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeSchema(value)]));
  return [schema.type].flat().includes('object') && schema.properties
    ? { additionalProperties: false, ...inner }
    : inner;
}
