import type { ReactNode } from 'react';
import type { Item, Method } from '../api/api';
import { toText } from '../components/format';
import type { Session } from '../session/session';

/** The declaration of one kind of resource: its list, its fields and its actions. A noun has one declaration. */
export interface Resource {
  /** The last part of the page's path, for example `orders`. */
  readonly name: string;
  /** The heading of the list, for example "Orders". */
  readonly title: string;
  /** The path of the list in the API. `{id}` stands for the parent of a nested list. */
  readonly listPath: string;
  /** The path of one resource in the API, with `{id}`. Absent: it has no page of its own. */
  readonly itemPath?: string;
  readonly pagination: 'page' | 'cursor';
  /** The filter that takes the id of the parent, for a nested list that is a filtered one. */
  readonly parentFilter?: string;
  /** The interval at which the list and its pages are read again. */
  readonly refreshMs?: number;
  /** Whether the change history has this kind of resource; true by default. */
  readonly hasHistory?: boolean;
  readonly columns: readonly Column[];
  readonly filters?: readonly Filter[];
  /** The actions on one resource. */
  readonly actions?: readonly Action[];
  /** The forms beside the list that create a resource. */
  readonly creations?: readonly Action[];
  /** Lists that belong to one of them, each shown as a tab of its page. */
  readonly children?: readonly Resource[];
  /** Further parts of the page of one of them, each shown as a tab. */
  readonly tabs?: readonly Tab[];
  /** The field of an item that is its id. `id` by default. */
  readonly key?: string;
  /** The text of an empty list, which names the first step. The curl command of the first creation is added. */
  readonly whenEmpty: string;
  /** Names the items that the list hides, and says how to see them. */
  readonly note?: string;
  /** The text in place of the list for a session that may not read it. */
  readonly whenForbidden?: string;
  /** Whether the session may see the list. */
  readonly isShown?: (session: Session) => boolean;
}

export interface Column {
  readonly label: string;
  readonly show: (item: Item) => ReactNode;
  /** The text of the value. The first column links to the page of the item with it. */
  readonly toText?: (item: Item) => string;
  /** Whether the value is an id, of which a list shows the start. */
  readonly isId?: boolean;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The closed set of values. Absent: free text, or a date. */
  readonly options?: readonly string[];
  /** How a value is shown where its own text says too little. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly kind?: 'text' | 'date' | 'several';
  /** The items that the list shows without the filter; “Any” by default. */
  readonly any?: string;
}

export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly show: (item: Item) => ReactNode;
}

/** One request that changes something, with the fields of its body. */
export interface Action {
  readonly label: string;
  readonly method: Method;
  /** `{id}` stands for the resource, or for the parent of a nested list. `{key}` stands for the nested item. */
  readonly path: string;
  readonly fields?: readonly Field[];
  /** The part of the body that the user does not enter. */
  readonly body?: Item;
  /** Says what a destructive action does; the user confirms by typing the name of the resource. */
  readonly destroys?: (item: Item) => { readonly effect: string; readonly name: string };
  readonly isShown?: (item: Item, session: Session) => boolean;
  /** Shows the response, for example a secret that cannot be seen again: the `data` of the API, or the whole document. */
  readonly showResponse?: (response: Item) => ReactNode;
  /** Read-only keys may use it. */
  readonly isRead?: boolean;
}

export interface Field {
  /** The path in the body, for example `plan_id` or `discount.percent`. */
  readonly name: string;
  readonly label: string;
  readonly kind?:
    'text' | 'long_text' | 'integer' | 'cents' | 'boolean' | 'choice' | 'several' | 'texts' | 'time' | 'json';
  readonly options?: readonly string[];
  readonly required?: boolean;
  readonly help?: string;
  /** The value that an empty input stands for. Without it, an empty input stays out of the body. */
  readonly whenEmpty?: unknown;
  /** The value that the form starts with. */
  readonly start?: (item: Item) => unknown;
}

export function fillPath(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
}

export function keyOf(resource: Resource, item: Item): string {
  return toText(readPath(item, resource.key ?? 'id'));
}

/** Returns the name by which people know an item, or null. */
export function nameOf(item: Item): string | null {
  const names = ['name', 'title', 'number', 'code', 'url', 'email', 'user.email'].map((path) => readPath(item, path));
  return names.find((name) => typeof name === 'string') ?? null;
}

/** Reads a nested value, for example `customer.email`. */
export function readPath(item: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => (value as Item | null | undefined)?.[part], item);
}
