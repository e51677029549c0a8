import { Text } from '@mantine/core';
import type { Item } from '../api/api';
import { Id } from '../components/copy';
import { formatMoney, toLabel, toText } from '../components/format';
import { StatusBadge } from '../components/status-badge';
import { Time } from '../components/time';
import type { Column } from './resource';
import { readPath } from './resource';
import { ResourceLink } from './resource-link';

/** Columns of a list, each for one field of the item. */
export function text(path: string, label = toLabel(path.split('.')[0]!)): Column {
  const read = (item: Item) => toText(readPath(item, path) ?? '–');
  return { label, toText: read, show: (item) => <span className="break">{read(item)}</span> };
}

export function id(path = 'id', label = 'Id'): Column {
  const read = (item: Item) => toText(readPath(item, path));
  return { label, toText: read, isId: true, show: (item) => <Id value={read(item)} /> };
}

export function status(path = 'status'): Column {
  return { label: 'Status', show: (item) => <StatusBadge status={String(readPath(item, path))} /> };
}

export function time(path = 'created_at', label = toLabel(path).replace(/ at$/, '')): Column {
  return { label, show: (item) => <Time value={(readPath(item, path) ?? null) as string | null} /> };
}

export function money(path: string, label: string): Column {
  return {
    label,
    show: (item) => {
      const cents = readPath(item, path);
      const currency = item['currency'];
      return <Text span>{typeof cents === 'number' ? formatMoney(cents, String(currency)) : '–'}</Text>;
    },
  };
}

export function reference(path: string, label = toLabel(path)): Column {
  return { label, show: (item) => <ResourceLink reference={readPath(item, path)} /> };
}

export function yesNo(path: string, label = toLabel(path)): Column {
  return { label, show: (item) => (readPath(item, path) ? 'Yes' : 'No') };
}
