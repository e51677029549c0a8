import { idOf } from '../../kernel/ids.js';
import { type JsonSchema, removeNull } from '../../kernel/schema.js';

const EXAMPLE_TIME = '2026-01-31T09:30:00.000Z';

const VALUES: Readonly<Record<string, unknown>> = {
  name: 'Juniper',
  email: 'ada@example.com',
  url: 'https://example.com/juniper',
  content: 'Welcome!',
  metadata: { campaign: 'spring' },
  event_types: ['cart.order.completed'],
  event_type: 'cart.order.completed',
  currency: 'EUR',
  quantity: 1,
  created_from: EXAMPLE_TIME,
  created_to: '2026-02-07T09:30:00.000Z',
  signing_secret: 'whsec_example',
  cart_token: 'ct_example',
  secret: 'sk_live_example',
};
/** The prefixes of ids in bodies, by the name of the field. */
const PREFIXES: Readonly<Record<string, string>> = {
  product_id: 'prod',
  plan_id: 'plan',
  order_id: 'ord',
  payment_id: 'pay',
  subscription_id: 'ps',
  offer_id: 'off',
  business_id: 'biz',
};
const ZERO_AMOUNTS = /^(discount|tax|refunded|refundable|paid|net|fee).*_cents$|_count$/;

/** Returns an example for the schema. Optional fields are included when an example value is known. */
export function exampleFor(schema: JsonSchema, name = ''): unknown {
  const { examples, anyOf, enum: values, type } = schema as Partial<Record<string, readonly unknown[]>>;
  if (examples !== undefined) return examples[0];
  if (isKnownFor(schema, name)) return VALUES[name];
  if (values !== undefined) return values.includes(null) ? null : values[0];
  if (type?.includes('null')) return null;
  if (anyOf !== undefined && type === undefined) return exampleFor(anyOf[0] as JsonSchema, name);
  return exampleForType(schema, name);
}

/** The status that an event leaves, where its last word is not the status itself. */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  'community.member.imported': 'pending',
  'community.member.left': 'removed',
  'dispute.closed': 'won',
  'invoice.voided': 'void',
  'payment.funds_available': 'succeeded',
  'subscription.renewal_failed': 'past_due',
};

const STATUS_FIELDS = ['status', 'approval_status'];

/** Returns an example of the data of an event: the status and the time are those that the event leaves. */
export function exampleForEvent(type: string, schema: JsonSchema): object {
  const example = exampleFor(schema) as object;
  const fields = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const participle = type.slice(type.lastIndexOf('.') + 1);
  const status = STATUS_AFTER[type] ?? participle;
  const time = `${participle}_at`;
  return {
    ...example,
    ...Object.fromEntries(STATUS_FIELDS.filter((name) => allows(fields[name], status)).map((name) => [name, status])),
    ...(Object.hasOwn(fields, time) && { [time]: EXAMPLE_TIME }),
  };
}

function allows(field: JsonSchema | undefined, value: string): boolean {
  return (field?.enum as readonly unknown[] | undefined)?.includes(value) ?? false;
}

/** Whether the known value of this name can be a value of the schema. */
function isKnownFor(schema: JsonSchema, name: string): boolean {
  if (!Object.hasOwn(VALUES, name) || hasFields(schema)) return false;
  const value = VALUES[name];
  const isList = [schema.type].flat().includes('array');
  return Array.isArray(value) === isList && (schema.enum as readonly unknown[] | undefined)?.includes(value) !== false;
}

function exampleForType(schema: JsonSchema, name: string): unknown {
  switch (schema.type) {
    case 'object':
      return exampleForObject(schema);
    case 'array':
      return [exampleFor(schema.items as JsonSchema, name)];
    case 'integer':
      return exampleForInteger(schema, name);
    case 'boolean':
      return false;
    default:
      return exampleForString(schema, name);
  }
}

/** Adds an example to each property that is a value of its own. Properties with fields of their own have examples there. */
export function addExamples(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema as Inner;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, addExample(addExamples(field), name)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) as Inner['properties'] }),
    ...(items && { items: addExamples(items) }),
    ...(anyOf && { anyOf: anyOf.map(addExamples) }),
  };
}

interface Inner {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

function addExample(field: JsonSchema, name: string): JsonSchema {
  return 'examples' in field || '$ref' in field || hasFields(field)
    ? field
    : { ...field, examples: [exampleFor(removeNull(field), name)] };
}

/** Includes required fields, and optional fields with a value other than null. */
function exampleForObject({ properties = {}, required = [] }: JsonSchema): object {
  const needed = new Set(required as readonly string[]);
  const shown = Object.entries(properties as Readonly<Record<string, JsonSchema>>).filter(
    ([name, schema]) => needed.has(name) || Object.hasOwn(VALUES, name) || hasFields(schema),
  );
  return Object.fromEntries(
    shown.map(([name, schema]) => [name, exampleFor(needed.has(name) ? schema : removeNull(schema), name)]),
  );
}

function hasFields({ properties, items }: JsonSchema): boolean {
  return properties !== undefined || (items as JsonSchema | undefined)?.properties !== undefined;
}

function exampleForInteger({ minimum }: JsonSchema, name: string): unknown {
  if (ZERO_AMOUNTS.test(name)) return minimum ?? 0;
  return name.endsWith('_cents') ? 4900 : (minimum ?? 1);
}

function exampleForString({ format, pattern }: JsonSchema, name: string): string {
  const prefix = PREFIXES[name] ?? /^\^\(?([a-z]+)[|_]/.exec(String(pattern))?.[1];
  if (prefix !== undefined) return idOf(prefix, Date.parse(EXAMPLE_TIME), 'example');
  if (format === 'date-time' || name.endsWith('_at')) return EXAMPLE_TIME;
  return format === 'uri' ? 'https://example.com' : 'text';
}
