import { notFound, useParams } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import type { Resource } from '../resources/resource';
import { ResourceList } from '../resources/resource-list';

/** Loaded when the first item is opened. */
const ResourcePage = lazy(() =>
  import('../resources/resource-page').then(({ ResourcePage: page }) => ({ default: page })),
);

interface AreaPagesProps {
  /** The first part of the path, for example `/commerce`. */
  readonly path: string;
  readonly resources: readonly Resource[];
  /** Pages that are not a list of resources: the rest of the path → the page. */
  readonly pages?: Readonly<Record<string, ComponentType>>;
  /** Pages of one resource that are not made of its fields: the name of the resource → its page. */
  readonly itemPages?: Readonly<Record<string, ComponentType<{ readonly id: string }>>>;
}

/** Shows the page of an area that the rest of the path names: a page, a list, or one resource. */
export function AreaPages({ path, resources, pages = {}, itemPages = {} }: AreaPagesProps) {
  const { _splat: rest = '' } = useParams({ strict: false });
  const [name = '', id] = rest.split('/');
  const Page = id === undefined ? pages[name] : undefined;
  if (Page !== undefined) return <Page />;
  const ItemPage = id === undefined ? undefined : itemPages[name];
  if (ItemPage !== undefined && id !== undefined) return <ItemPage key={id} id={decodeURIComponent(id)} />;
  const resource = resources.find((one) => one.name === name);
  if (resource === undefined) throw notFound();
  const pagePath = `${path}/${name}`;
  if (id === undefined && resource.listPath.includes('{id}')) throw notFound();
  if (id === undefined) return <ResourceList key={name} resource={resource} pagePath={pagePath} />;
  if (resource.itemPath === undefined) throw notFound();
  return <ResourcePage key={id} resource={resource} pagePath={pagePath} id={decodeURIComponent(id)} />;
}
