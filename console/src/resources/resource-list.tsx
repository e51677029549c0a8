import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy } from 'react';
import { callList, type Item, toCurl } from '../api/api';
import { isForbidden } from '../api/problem';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { useSession } from '../session/session';
import { ActionButton } from './action-button';
import { Pager } from './pager';
import { type Action, fillPath, keyOf, type Resource } from './resource';
import { useQueryString } from './use-search';

/** Loaded with the first list that has filters. */
const Filters = lazy(() => import('./filters').then(({ Filters: filters }) => ({ default: filters })));

interface ResourceListProps {
  readonly resource: Resource;
  /** The path of the list's page in the console, without its ids. */
  readonly pagePath: string;
  /** The id of the parent of a nested list. */
  readonly parentId?: string;
}

/** A list with its filters in the query string, its creations, and what to do when it is empty. */
export function ResourceList({ resource, pagePath, parentId = '' }: ResourceListProps) {
  const [query, change] = useQueryString();
  const { filters = [], creations = [], pagination } = resource;
  const names = [...filters.map(({ name }) => name), pagination === 'page' ? 'page' : 'after'];
  const asked = Object.fromEntries(
    names.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
  );
  const path = fillPath(resource.listPath, { id: parentId });
  const sent = resource.parentFilter === undefined ? asked : { ...asked, [resource.parentFilter]: parentId };
  const list = useQuery({
    queryKey: ['list', path, sent],
    queryFn: ({ signal }) => callList(path, { query: sent, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: resource.refreshMs ?? false,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={parentId === '' ? 1 : 2} size="h3">
          {resource.title}
        </Title>
        <Group>
          {creations.map((action) => (
            <ActionButton key={action.label} action={action} item={{}} ids={{ id: parentId }} isPrimary />
          ))}
        </Group>
      </Group>
      {filters.length > 0 && <Filters filters={filters} query={query} change={change} />}
      {resource.note !== undefined && <Text>{resource.note}</Text>}
      {list.isError &&
        (resource.whenForbidden !== undefined && isForbidden(list.error) ? (
          <Text>{resource.whenForbidden}</Text>
        ) : (
          <ProblemAlert error={list.error} />
        ))}
      {list.isPending && <Loader aria-label="Loading" />}
      {list.data !== undefined && list.data.data.length === 0 && (
        <EmptyList
          resource={resource}
          isFiltered={Object.keys(asked).length > 0}
          creation={creations[0]}
          parentId={parentId}
        />
      )}
      {list.data !== undefined && list.data.data.length > 0 && (
        <>
          <ItemTable resource={resource} items={list.data.data} pagePath={pagePath} parentId={parentId} />
          <Pager pagination={list.data.pagination ?? {}} query={query} change={change} />
        </>
      )}
    </Stack>
  );
}

interface ItemTableProps {
  readonly resource: Resource;
  readonly items: readonly Item[];
  readonly pagePath: string;
  readonly parentId: string;
}

function ItemTable({ resource, items, pagePath, parentId }: ItemTableProps) {
  const { columns, itemPath, actions = [] } = resource;
  const hasPage = itemPath !== undefined;
  const toPage = (item: Item): string => `${pagePath}/${encodeURIComponent(keyOf(resource, item))}`;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={resource.title}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ label }) => (
              <th key={label}>{label}</th>
            ))}
            {!hasPage && actions.length > 0 && <th>Actions</th>}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(resource, item)}>
              {columns.map(({ label, show, toText, isId }, index) => (
                <td key={label}>
                  {hasPage && index === 0 ? (
                    <Link
                      className={isId ? 'link id-link' : 'link'}
                      to={toPage(item)}
                      title={isId ? toText?.(item) : undefined}
                    >
                      {toText?.(item) ?? 'Open'}
                    </Link>
                  ) : (
                    show(item)
                  )}
                </td>
              ))}
              {!hasPage && actions.length > 0 && (
                <td className="actions">
                  <ItemActions resource={resource} item={item} parentId={parentId} isCompact />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ItemActionsProps {
  readonly resource: Resource;
  readonly item: Item;
  readonly parentId?: string;
  /** Whether it stands in a row of a list. */
  readonly isCompact?: boolean;
}

/** The actions that the session may use on an item. */
export function ItemActions({ resource, item, parentId, isCompact = false }: ItemActionsProps) {
  const session = useSession();
  const key = keyOf(resource, item);
  const shown = (resource.actions ?? []).filter(
    ({ isShown }) => session !== null && (isShown?.(item, session) ?? true),
  );
  return (
    <Group gap={isCompact ? 4 : 'xs'}>
      {shown.map((action) => (
        <ActionButton
          key={action.label}
          action={action}
          item={item}
          ids={{ id: parentId || key, key }}
          isCompact={isCompact}
        />
      ))}
    </Group>
  );
}

interface EmptyListProps {
  readonly resource: Resource;
  readonly isFiltered: boolean;
  readonly creation: Action | undefined;
  readonly parentId: string;
}

function EmptyList({ resource, isFiltered, creation, parentId }: EmptyListProps) {
  if (isFiltered) return <Text>Nothing fits these filters.</Text>;
  const path = fillPath(creation?.path ?? resource.listPath, { id: parentId });
  return (
    <Stack gap="xs">
      <Text>{resource.whenEmpty}</Text>
      <JsonView
        label="The same on the command line"
        value={toCurl(creation?.method ?? 'GET', path, creation && exampleBody(creation))}
      />
    </Stack>
  );
}

/** The required fields of a creation, with placeholders. */
function exampleBody({ fields = [] }: Action): Item | undefined {
  const required = fields.filter((field) => field.required);
  if (required.length === 0) return fields.length === 0 ? undefined : {};
  return Object.fromEntries(
    required.map(({ name, kind, options }): [string, unknown] => {
      if (kind === 'integer' || kind === 'cents') return [name, 1000];
      if (kind === 'boolean') return [name, true];
      if (kind === 'texts' || kind === 'several') return [name, options?.slice(0, 1) ?? []];
      return [name, options?.[0] ?? '…'];
    }),
  );
}
