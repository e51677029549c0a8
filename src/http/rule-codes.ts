/** Rules of class-validator about the type of a value. Their errors come first. */
const KINDS = ['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject', 'nestedValidation'];

const CODES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KINDS.map((name) => [name, 'invalid_type'])),
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

export function codeOfRule(name: string): string {
  return CODES[name] ?? 'invalid_value';
}

export function isOfKind(rule: string): boolean {
  return KINDS.includes(rule);
}
