import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Item } from '../api/api';
import { findFieldError } from '../api/problem';
import { ProblemAlert } from '../components/problem-alert';
import { FieldInput } from './field-input';
import type { Action } from './resource';
import { useAction } from './use-action';

interface ActionFormProps {
  readonly action: Action;
  readonly item: Item;
  readonly ids: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** The form of an action. An error is shown beside the field that caused it. */
export function ActionForm({ action, item, ids, close }: ActionFormProps) {
  const { values, change, sending } = useAction(action, item, ids, close);
  const [typedName, setTypedName] = useState('');
  const destroyed = action.destroys?.(item);
  const isConfirmed = destroyed === undefined || typedName === destroyed.name;
  if (sending.data !== undefined && action.showResponse !== undefined)
    return (
      <Stack>
        {action.showResponse(sending.data)}
        <Button onClick={close}>Done</Button>
      </Stack>
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) sending.mutate();
      }}
    >
      <Stack>
        {destroyed !== undefined && <Text>{destroyed.effect}</Text>}
        {(action.fields ?? []).map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]}
            error={findFieldError(sending.error, field.name)}
            change={(value) => change(field.name, value)}
          />
        ))}
        {destroyed !== undefined && <NameInput name={destroyed.name} typed={typedName} change={setTypedName} />}
        {sending.isError && <ProblemAlert error={sending.error} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            Back
          </Button>
          <Button
            type="submit"
            color={destroyed === undefined ? undefined : 'red.9'}
            loading={sending.isPending}
            disabled={!isConfirmed}
          >
            {action.label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface NameInputProps {
  readonly name: string;
  readonly typed: string;
  readonly change: (typed: string) => void;
}

/** Asks for the name of what an action destroys. */
function NameInput({ name, typed, change }: NameInputProps) {
  return (
    <TextInput
      label={`Type ${name} to confirm`}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      autoComplete="off"
    />
  );
}
