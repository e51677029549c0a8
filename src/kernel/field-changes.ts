import { ERASED, type Schema } from './schema.js';

export interface FieldChange {
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields of a resource that differ, by name or path. */
export type FieldChanges = Readonly<Record<string, FieldChange>>;

export const fieldChanges: Schema<FieldChanges> = {
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['before', 'after'],
      properties: {
        before: { description: 'The value before the event; null when the field did not exist.' },
        after: { description: 'The value after the event; null when the field was removed.' },
        erased: ERASED.schema,
      },
    },
  },
};
