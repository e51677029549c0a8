import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callOperations, type Item } from '../api/api';
import { findFieldError } from '../api/problem';
import { ProblemAlert } from '../components/problem-alert';
import { type FormValues, startValues, toBody } from './body';
import { FieldInput } from './field-input';
import { type Action, fillPath } from './resource';

interface ActionFormProps {
  readonly action: Action;
  readonly item: Item;
  readonly ids: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** The form of an action. An error is shown beside the field that caused it. */
export function ActionForm({ action, item, ids, close }: ActionFormProps) {
  const [values, setValues] = useState<FormValues>(() => startValues(action.fields ?? [], item));
  const [typedName, setTypedName] = useState('');
  // One intent has one key: pressing the button again after a lost response repeats the same request.
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: () => {
      const body = action.fields === undefined ? undefined : toBody(action.fields, values);
      const path = fillPath(action.path, ids);
      if (path.startsWith('/ops/')) return callOperations(action.method, path, { body });
      return call(action.method, path, { body, idempotencyKey });
    },
    onSuccess: async () => {
      await queries.invalidateQueries();
      if (action.showResponse === undefined) close();
    },
  });
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
            change={(value) => {
              setValues((known) => ({ ...known, [field.name]: value }));
              setKey(crypto.randomUUID());
            }}
          />
        ))}
        {destroyed !== undefined && (
          <TextInput
            label={`Type ${destroyed.name} to confirm`}
            value={typedName}
            onChange={(event) => setTypedName(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
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
