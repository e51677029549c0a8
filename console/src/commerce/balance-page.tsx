import { Card, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/api';
import { formatMoney } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { ResourceList } from '../resources/resource-list';
import { payouts } from './payouts';

interface Balance {
  readonly balances: readonly {
    readonly currency: string;
    readonly amount_cents: number;
    readonly pending_cents: number;
  }[];
}

/** The seller's balance in each currency, and the payouts. */
export function BalancePage() {
  const balance = useQuery({
    queryKey: ['balance'],
    queryFn: ({ signal }) => call<Balance>('GET', '/v1/commerce/balance', { signal }).then(({ balances }) => balances),
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        Balance
      </Title>
      {balance.isPending && <Loader aria-label="Loading" />}
      {balance.isError && <ProblemAlert error={balance.error} />}
      {balance.data?.length === 0 && <Text>Nothing has been paid yet.</Text>}
      <div className="cards">
        {balance.data?.map(({ currency, amount_cents: amount, pending_cents: pending }) => (
          <Card key={currency} withBorder>
            <Text fw={700}>{formatMoney(amount, currency)}</Text>
            <Text size="sm">{formatMoney(pending, currency)} of it not available yet</Text>
          </Card>
        ))}
      </div>
      <ResourceList resource={payouts} pagePath="/commerce/payouts" parentId=" " />
    </Stack>
  );
}
