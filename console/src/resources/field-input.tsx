import { Checkbox, MultiSelect, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { toLabel, toText } from '../components/format';
import type { Field } from './resource';

interface FieldInputProps {
  readonly field: Field;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly change: (value: unknown) => void;
}

/** The input of one field of a body. */
export function FieldInput({ field, value, error, change }: FieldInputProps) {
  const { kind = 'text', options = [], label, help: description, required: withAsterisk } = field;
  const common = { label, description, error, withAsterisk };
  switch (kind) {
    case 'boolean':
      return (
        <Checkbox
          label={label}
          description={description}
          error={error}
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          data={[{ value: '', label: '–' }, ...options.map((one) => ({ value: one, label: toLabel(one) }))]}
          value={toText(value)}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'several':
      return (
        <MultiSelect
          {...common}
          data={[...options]}
          value={[...(value as readonly string[])]}
          onChange={change}
          searchable
        />
      );
    case 'integer':
    case 'cents':
      return <NumberInput {...common} allowDecimal={false} value={value as number | string} onChange={change} />;
    case 'long_text':
    case 'texts':
    case 'json':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={16}
          ff={kind === 'json' ? 'monospace' : undefined}
          value={toText(value)}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'time':
      return (
        <TextInput
          {...common}
          type="datetime-local"
          value={toText(value)}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'text':
      return <TextInput {...common} value={toText(value)} onChange={(event) => change(event.currentTarget.value)} />;
  }
}
