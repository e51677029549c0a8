import { ValidateBy } from 'class-validator';

/** Declares a field of any value, which the handler checks. @param schema the values that the handler takes */
export function AnyValue(schema: object): PropertyDecorator {
  return ValidateBy(
    { name: 'anyValue', validator: { validate: () => true } },
    { context: { code: 'invalid_value', schema } },
  );
}
