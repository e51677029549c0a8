import { Anchor, Group, Loader, Stack, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, type Item } from '../api/api';
import { Id } from '../components/copy';
import { toLabel, toText } from '../components/format';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { StatusBadge } from '../components/status-badge';
import { HistoryTab } from '../history/history-tab';
import { Fields } from './field-value';
import { fillPath, nameOf, type Resource } from './resource';
import { ItemActions, ResourceList } from './resource-list';
import { useQueryString } from './use-search';

interface ResourcePageProps {
  readonly resource: Resource;
  readonly pagePath: string;
  readonly id: string;
}

/** One resource: its fields, its actions, what belongs to it, its history. */
export function ResourcePage({ resource, pagePath, id }: ResourcePageProps) {
  const path = fillPath(resource.itemPath!, { id });
  const item = useQuery({
    queryKey: ['item', path],
    queryFn: ({ signal }) => call<Item>('GET', path, { signal }),
    refetchInterval: resource.refreshMs ?? false,
  });
  if (item.isPending) return <Loader aria-label="Loading" />;
  if (item.isError) return <ProblemAlert error={item.error} />;
  const { status } = item.data;
  return (
    <Stack>
      <Way resource={resource} item={item.data} pagePath={pagePath} />
      <Group justify="space-between">
        <Group>
          <Title order={1} size="h3" className="break">
            {nameOf(item.data) ?? resource.title.replace(/s$/, '')}
          </Title>
          {typeof status === 'string' && <StatusBadge status={status} />}
        </Group>
        <ItemActions resource={resource} item={item.data} />
      </Group>
      <Id value={id} />
      <PageTabs resource={resource} item={item.data} id={id} pagePath={pagePath} />
    </Stack>
  );
}

/** The way back to the list, which for a nested list is a tab of the page of its parent. */
function Way({
  resource: { name, title, listPath },
  item,
  pagePath,
}: Omit<ResourcePageProps, 'id'> & { readonly item: Item }) {
  const { community } = item as { readonly community?: { readonly id: string } };
  const isNested = listPath.includes('{id}') && community !== undefined;
  const to = isNested ? `${areaOf(pagePath)}/communities/${community.id}` : pagePath;
  return (
    <Anchor component={Link} to={to} search={(isNested ? { tab: name } : {}) as never} size="sm">
      {title}
    </Anchor>
  );
}

function PageTabs({ resource, item, id, pagePath }: ResourcePageProps & { readonly item: Item }) {
  const [query, change] = useQueryString();
  const { children = [], tabs = [], hasHistory = true } = resource;
  const tab = [query['tab']].flat()[0] ?? 'details';
  return (
    // A panel of another tab is not kept, so that only the open one calls the service.
    <Tabs value={tab} onChange={(name) => change(resetFor(query, name))} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="details">Details</Tabs.Tab>
        {tabs.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
        {children.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
        {hasHistory && <Tabs.Tab value="history">History</Tabs.Tab>}
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="details" pt="md">
        <Fields item={item} />
      </Tabs.Panel>
      {tabs.map(({ name, show }) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {show(item)}
        </Tabs.Panel>
      ))}
      {children.map((child) => (
        <Tabs.Panel key={child.name} value={child.name} pt="md">
          <ResourceList resource={child} parentId={id} pagePath={`${areaOf(pagePath)}/${child.name}`} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="history" pt="md">
        <HistoryTab id={id} />
      </Tabs.Panel>
      <Tabs.Panel value="json" pt="md">
        <JsonView value={item} label={toLabel(toText(item['object']))} />
      </Tabs.Panel>
    </Tabs>
  );
}

function areaOf(pagePath: string): string {
  return pagePath.slice(0, pagePath.lastIndexOf('/'));
}

/** Filters belong to one tab: another tab starts without them. */
function resetFor(query: Readonly<Record<string, unknown>>, tab: string | null): Record<string, string | undefined> {
  const none = Object.fromEntries(Object.keys(query).map((name) => [name, undefined]));
  return { ...none, tab: tab === 'details' ? undefined : (tab ?? undefined) };
}
