import { Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Item, Query } from '../api/api';
import { DataTable } from '../components/data-table';
import { toText } from '../components/format';
import { ProblemAlert } from '../components/problem-alert';
import { Filters } from '../resources/filters';
import type { Filter } from '../resources/resource';
import { useQueryString } from '../resources/use-search';
import { useOperations } from './use-operations';

interface OperationsListProps {
  readonly title: string;
  /** The path on the operations port, and the field of its response that holds the list. */
  readonly path: string;
  readonly field: string;
  /** The field of an item that names it. */
  readonly itemKey: string;
  readonly filters: readonly Filter[];
  readonly whenEmpty: string;
  readonly columns: readonly string[];
  readonly toCells: (item: Item) => readonly ReactNode[];
}

/** A list of the operations port, read again every two seconds, with its filters in the query string. */
export function OperationsList(props: OperationsListProps) {
  const { title, path, field, itemKey, filters, whenEmpty, columns, toCells } = props;
  const [query, change] = useQueryString();
  const asked: Query = Object.fromEntries(filters.map(({ name }) => [name, query[name]]));
  const list = useOperations<Readonly<Record<string, readonly Item[]>>>(path, asked);
  const items = list.data?.[field];
  return (
    <Stack>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Filters filters={filters} query={query} change={change} />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isError && <ProblemAlert error={list.error} />}
      {items?.length === 0 && <Text>{whenEmpty}</Text>}
      {items !== undefined && items.length > 0 && (
        <DataTable
          label={title}
          columns={columns}
          rows={items.map((item) => ({ key: toText(item[itemKey]), cells: toCells(item) }))}
        />
      )}
    </Stack>
  );
}
