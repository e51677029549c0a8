import { Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call, type Item } from '../api/api';
import { ProblemAlert } from '../components/problem-alert';
import { Fields } from '../resources/field-value';

/** The hash chain over the events of the business, with its signed checkpoints. */
export function ChainPage() {
  const chain = useQuery({
    queryKey: ['chain'],
    queryFn: ({ signal }) => call<Item>('GET', '/v1/audit/chain', { signal }),
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        Hash chain
      </Title>
      <Text>
        Each event is hashed together with all before it. Keep a signed checkpoint outside of the service: then nobody,
        the operator included, can change an earlier event without your noticing.
      </Text>
      {chain.isPending && <Loader aria-label="Loading" />}
      {chain.isError && <ProblemAlert error={chain.error} />}
      {chain.data !== undefined && <Fields item={chain.data} />}
    </Stack>
  );
}
