import { Link } from '@tanstack/react-router';
import { Copy } from '../components/copy';
import { findPage } from './pages';

/** A reference `{object, id}` as a link to the page of the resource. */
export function ResourceLink({ reference }: { readonly reference: unknown }) {
  if (!isReference(reference)) return <span>–</span>;
  const page = findPage(reference.object, reference.id);
  return (
    <span className="break">
      {page === null ? (
        <span className="monospace" title={reference.id}>
          {reference.id}
        </span>
      ) : (
        <Link className="link monospace" to={page} title={reference.id}>
          {reference.id}
        </Link>
      )}
      <Copy text={reference.id} label={reference.id} />
    </span>
  );
}

export function isReference(value: unknown): value is { readonly object: string; readonly id: string } {
  return typeof value === 'object' && value !== null && 'object' in value && 'id' in value;
}
