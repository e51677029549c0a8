import { Alert, List, Stack, Text } from '@mantine/core';
import { toProblem } from '../api/problem';
import { Id } from './copy';

/** A failed call: what the service said, field by field, with the id of the request. */
export function ProblemAlert({ error }: { readonly error: unknown }) {
  const problem = toProblem(error);
  return (
    <Alert color="red" variant="outline" title={problem.title} role="alert">
      <Stack gap="xs">
        <Text size="sm" className="break">
          {problem.detail}
        </Text>
        {problem.errors.length > 0 && (
          <List size="sm">
            {problem.errors.map(({ param, field, detail }, index) => (
              <List.Item key={index}>
                <b>{param ?? field}</b> {detail}
              </List.Item>
            ))}
          </List>
        )}
        {problem.request_id !== null && (
          <Text size="sm" component="div">
            Code {problem.code}, request <Id value={problem.request_id} />
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
