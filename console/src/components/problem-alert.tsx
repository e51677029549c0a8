import { Alert, List, Stack, Text } from '@mantine/core';
import { toFailure } from '../api/problem';
import { Id } from './copy';

/** A failed call: what the service said, field by field, with the id of the request. */
export function ProblemAlert({ error }: { readonly error: unknown }) {
  const { title, detail, code, requestId, errors } = toFailure(error);
  return (
    <Alert color="red" variant="outline" title={title} role="alert">
      <Stack gap="xs">
        <Text size="sm" className="break">
          {detail}
        </Text>
        {errors.length > 0 && (
          <List size="sm">
            {errors.map(({ param, field, detail }, index) => (
              <List.Item key={index}>
                <b>{param ?? field}</b> {detail}
              </List.Item>
            ))}
          </List>
        )}
        {requestId !== null && (
          <Text size="sm" component="div">
            Code {code}, request <Id value={requestId} />
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
