import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { JsonView } from '../components/json-view';
import { ActionButton } from '../resources/action-button';
import type { Action, Resource } from '../resources/resource';

const CREATE: Action = {
  label: 'New cart',
  method: 'POST',
  path: '/v1/commerce/carts',
  fields: [
    { name: 'currency', label: 'Currency' },
    { name: 'buyer.email', label: 'Buyer’s e-mail' },
    { name: 'redirect_url', label: 'Thank-you page (https)' },
    { name: 'discount_code', label: 'Discount code' },
  ],
  showResponse: (cart) => (
    <Stack>
      <Text>The token of the cart is shown only once. A buyer’s page uses it in place of a key.</Text>
      <JsonView label="Cart" value={cart} />
    </Stack>
  ),
};
const isOpen: NonNullable<Action['isShown']> = ({ status }) => status === 'open';

export const carts: Resource = {
  name: 'carts',
  title: 'Carts',
  listPath: '/v1/commerce/carts',
  itemPath: '/v1/commerce/carts/{id}',
  pagination: 'page',
  columns: [],
  whenEmpty: '',
  actions: [
    {
      label: 'Add a line',
      method: 'POST',
      path: '/v1/commerce/carts/{id}/lines',
      isShown: isOpen,
      fields: [
        { name: 'product_id', label: 'Product id', required: true },
        { name: 'plan_id', label: 'Plan id' },
        { name: 'quantity', label: 'Quantity', kind: 'integer' },
      ],
    },
    {
      label: 'Change',
      method: 'PATCH',
      path: '/v1/commerce/carts/{id}',
      isShown: isOpen,
      fields: [
        { name: 'buyer.email', label: 'Buyer’s e-mail' },
        { name: 'discount_code', label: 'Discount code' },
      ],
    },
    {
      label: 'Check out',
      method: 'POST',
      path: '/v1/commerce/carts/{id}/checkout',
      isShown: isOpen,
      fields: [{ name: 'payment_method.token', label: 'Token of the payment method', required: true }],
    },
  ],
};

/** Carts have no list: a cart is opened by its id. */
export function CartsPage() {
  const [id, setId] = useState('');
  const navigate = useNavigate();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h3">
          Carts
        </Title>
        <ActionButton action={CREATE} item={{}} ids={{}} isPrimary />
      </Group>
      <Text>
        Carts have no list. The response to a new cart has its id, a completed order names its cart, and the{' '}
        <Anchor component={Link} underline="always" to="/history/events" search={{ type: 'CartCreated' } as never}>
          change history
        </Anchor>{' '}
        has every cart, in the event CartCreated.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: `/commerce/carts/${encodeURIComponent(id.trim())}` });
        }}
      >
        <Group align="end">
          <TextInput label="Cart id" value={id} onChange={(event) => setId(event.currentTarget.value)} required />
          <Button type="submit">Open</Button>
        </Group>
      </form>
    </Stack>
  );
}
