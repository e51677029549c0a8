import { Table } from '@mantine/core';
import type { Item } from '../api/api';
import { Id } from '../components/copy';
import { formatMoney, toLabel, toText } from '../components/format';
import { StatusBadge } from '../components/status-badge';
import { ActionButton } from '../resources/action-button';
import type { Action } from '../resources/resource';

const ARCHIVE: Action = {
  label: 'Archive',
  method: 'DELETE',
  path: '/v1/commerce/products/{id}/plans/{key}',
  destroys: (plan) => ({
    effect: 'Nobody can buy this plan any more. Running subscriptions stay.',
    name: String(plan['id']),
  }),
};

/** The plans of a product. */
export function PlansTab({ product }: { readonly product: Item }) {
  const plans = product['plans'] as readonly Item[];
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Plans">
      <Table>
        <Table.Thead>
          <Table.Tr>
            {['Plan', 'Kind', 'Amount', 'Interval', 'Status', 'Actions'].map((label) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plans.map((plan) => (
            <Table.Tr key={String(plan['id'])}>
              <Table.Td>
                {toText(plan['name'])} <Id value={String(plan['id'])} />
              </Table.Td>
              <Table.Td>{toLabel(String(plan['kind']))}</Table.Td>
              <Table.Td>{formatMoney(Number(plan['amount_cents']), String(plan['currency']))}</Table.Td>
              <Table.Td>{formatInterval(plan)}</Table.Td>
              <Table.Td>
                <StatusBadge status={String(plan['status'])} />
              </Table.Td>
              <Table.Td>
                {plan['status'] === 'active' && (
                  <ActionButton
                    action={ARCHIVE}
                    item={plan}
                    ids={{ id: String(product['id']), key: String(plan['id']) }}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function formatInterval(plan: Item): string {
  const [interval, count] = [toText(plan['interval']), Number(plan['interval_count'])];
  if (interval === '') return '–';
  return count === 1 ? `Every ${interval}` : `Every ${count} ${interval}s`;
}
