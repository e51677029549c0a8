import { Badge, Group, Text } from '@mantine/core';
import type { Item } from '../api/api';
import { Id } from '../components/copy';
import { formatMoney, toLabel } from '../components/format';
import { StatusBadge } from '../components/status-badge';
import { Time } from '../components/time';
import { isReference, ResourceLink } from './resource-link';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const ID = /^[a-z]{2,5}_[A-Za-z0-9_-]{16,40}$/;
const LINES_MAX = 50;

/** Every field of a resource, in the order of the API. Values are shown as text, never as markup. */
export function Fields({ item, currency = item['currency'] }: { readonly item: Item; readonly currency?: unknown }) {
  return (
    <dl className="fields">
      {Object.entries(item)
        .filter(([name]) => name !== 'object')
        .map(([name, value]) => (
          <FieldRow key={name} name={name} value={value} owner={{ currency, ...item }} />
        ))}
    </dl>
  );
}

function FieldRow({ name, value, owner }: { readonly name: string; readonly value: unknown; readonly owner: Item }) {
  return (
    <>
      <dt>{toLabel(name.replace(/_cents$/, ''))}</dt>
      <dd className="break">
        <FieldValue name={name} value={value} owner={owner} />
      </dd>
    </>
  );
}

export function FieldValue({
  name,
  value,
  owner,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly owner: Item;
}) {
  if (isEmpty(value)) return <Text span>–</Text>;
  if (typeof value === 'number') return <span>{formatNumber(name, value, owner)}</span>;
  if (typeof value === 'boolean') return <span>{value ? 'Yes' : 'No'}</span>;
  if (typeof value === 'string') return <TextValue name={name} value={value} />;
  if (Array.isArray(value)) return <ListValue values={value as readonly unknown[]} owner={owner} />;
  if (isReference(value) && Object.keys(value).length === 2) return <ResourceLink reference={value} />;
  return <Fields item={linkId(value as Item)} currency={(value as Item)['currency'] ?? owner['currency']} />;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A resource inside another one leads to its page by its id. */
function linkId(item: Item): Item {
  return isReference(item) ? { ...item, id: { object: item.object, id: item.id } } : item;
}

function TextValue({ name, value }: { readonly name: string; readonly value: string }) {
  if (ISO_TIME.test(value)) return <Time value={value} />;
  if (ID.test(value)) return <Id value={value} />;
  return name === 'status' ? <StatusBadge status={value} /> : <span>{value}</span>;
}

function ListValue({ values, owner }: { readonly values: readonly unknown[]; readonly owner: Item }) {
  if (values.every((one) => typeof one === 'object' && one !== null))
    return <TableValue rows={values as readonly Item[]} owner={owner} />;
  return (
    <Group gap={4}>
      {values.map((one, index) => (
        <Badge key={index} variant="default">
          {String(one)}
        </Badge>
      ))}
    </Group>
  );
}

function TableValue({ rows, owner }: { readonly rows: readonly Item[]; readonly owner: Item }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== 'object');
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="List">
      <table className="table">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name}>{toLabel(name.replace(/_cents$/, ''))}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, LINES_MAX).map((row, index) => (
            <tr key={index}>
              {names.map((name) => (
                <td key={name}>
                  <FieldValue name={name} value={row[name]} owner={{ currency: owner['currency'], ...row }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > LINES_MAX && <Text size="sm">And {rows.length - LINES_MAX} more; the JSON shows all.</Text>}
    </div>
  );
}

function formatNumber(name: string, value: number, owner: Item): string {
  const { currency } = owner;
  return name.endsWith('_cents') && typeof currency === 'string' ? formatMoney(value, currency) : String(value);
}
