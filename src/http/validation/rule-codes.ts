/** Rules of class-validator about the type of a value. Their errors come first. */
const TYPE_RULES = ['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject', 'nestedValidation'];

const RULE_CODES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TYPE_RULES.map((name) => [name, 'invalid_type'])),
  minLength: 'too_short',
  maxLength: 'too_long',
  isLength: 'invalid_length',
  arrayMinSize: 'too_short',
  arrayMaxSize: 'too_long',
  min: 'too_small',
  max: 'too_large',
  isEmail: 'invalid_email',
  isUrl: 'invalid_url',
  matches: 'invalid_format',
  isISO8601: 'invalid_time',
  isDateOrTime: 'invalid_time',
};

export function codeForRule(name: string): string {
  return RULE_CODES[name] ?? 'invalid_value';
}

export function isTypeRule(rule: string): boolean {
  return TYPE_RULES.includes(rule);
}
