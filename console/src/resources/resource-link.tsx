import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Copy } from '../components/copy';
import { findPage } from './pages';

/** A reference `{object, id}` as a link to the page of the resource. */
export function ResourceLink({ reference }: { readonly reference: unknown }) {
  if (!isReference(reference)) return <Text span>–</Text>;
  const page = findPage(reference.object, reference.id);
  return (
    <span className="break">
      {page === null ? (
        <Text span ff="monospace" size="sm">
          {reference.id}
        </Text>
      ) : (
        <Anchor component={Link} to={page} ff="monospace" size="sm">
          {reference.id}
        </Anchor>
      )}
      <Copy text={reference.id} label={reference.id} />
    </span>
  );
}

export function isReference(value: unknown): value is { readonly object: string; readonly id: string } {
  return typeof value === 'object' && value !== null && 'object' in value && 'id' in value;
}
