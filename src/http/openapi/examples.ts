import { idOf } from '../../kernel/ids.js';
import { notNull, type Schema } from '../../kernel/schema.js';

const AT = '2026-01-31T09:30:00.000Z';

/** The example values of fields, by the name of the field. */
const VALUES: Readonly<Record<string, unknown>> = {
  name: 'Juniper',
  email: 'ada@example.com',
  target_email: 'ada@example.com',
  url: 'https://example.com/juniper',
  content: 'Welcome!',
  summary: 'An order was completed',
  reason: 'The description is missing.',
  token: 'tok_ok',
  metadata: { campaign: 'spring' },
  event_types: ['cart.order.completed'],
  event_type: 'cart.order.completed',
  event_version: '1',
  currency: 'EUR',
  gateway: 'simulated',
  number: '2026-000001',
  quantity: 1,
  points: 25,
  balance: 25,
  response_status: 200,
  duration_ms: 120,
  max_attempts: 20,
  created_from: AT,
  delivered_at: AT,
  next_billing_at: AT,
  purchasable: true,
  sent: true,
  accepts_new_subscriptions: true,
  signing_secret: 'whsec_example',
  cart_token: 'ct_example',
  secret: 'sk_live_example',
};
/** The prefixes of ids in bodies, by the name of the field. */
const PREFIXES: Readonly<Record<string, string>> = { product_id: 'prod', plan_id: 'plan' };
const NOTHING_YET = /^(discount|tax|refunded|refundable|paid|net|fee).*_cents$|_count$/;

/** Returns an example for the schema. Optional fields are included when an example value is known. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const { examples, anyOf, enum: values, type } = schema as Partial<Record<string, readonly unknown[]>>;
  if (Object.hasOwn(VALUES, name) && values?.includes(VALUES[name]) !== false && !hasFields(schema)) return VALUES[name];
  if (examples !== undefined) return examples[0];
  if (values !== undefined) return values.includes(null) ? null : values[0];
  if (type?.includes('null')) return null;
  if (anyOf !== undefined && type === undefined) return exampleOf(anyOf[0] as Schema, name);
  return exampleOfType(schema, name);
}

function exampleOfType(schema: Schema, name: string): unknown {
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema);
    case 'array':
      return [exampleOf(schema.items as Schema)];
    case 'integer':
      return wholeNumber(schema, name);
    case 'boolean':
      return false;
    default:
      return textOf(schema, name);
  }
}

/** Includes required fields, and optional fields with a value other than null. */
function exampleOfObject({ properties = {}, required = [] }: Schema): object {
  const needed = new Set(required as readonly string[]);
  const shown = Object.entries(properties as Readonly<Record<string, Schema>>).filter(
    ([name, schema]) => needed.has(name) || Object.hasOwn(VALUES, name) || hasFields(schema),
  );
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(needed.has(name) ? schema : notNull(schema), name)]));
}

function hasFields({ properties, items }: Schema): boolean {
  return properties !== undefined || (items as Schema | undefined)?.properties !== undefined;
}

function wholeNumber({ minimum = 1 }: Schema, name: string): unknown {
  if (NOTHING_YET.test(name)) return 0;
  return name.endsWith('_cents') ? 4900 : minimum;
}

function textOf({ format, pattern }: Schema, name: string): string {
  const prefix = PREFIXES[name] ?? /^\^([a-z]+)_/.exec(String(pattern))?.[1];
  if (prefix !== undefined) return idOf(prefix, Date.parse(AT), 'example');
  if (format === 'date-time') return AT;
  return format === 'uri' ? 'https://example.com' : 'text';
}
