import type { AuditedStream } from './audited-stream.js';
import type { PublicEventDeclaration } from './public-event-definition.js';

/** The declarations of the features of all areas. */
interface Declarations {
  readonly streams: readonly AuditedStream[];
  /** Sorted by type. */
  readonly publicEvents: readonly PublicEventDeclaration[];
}

let declared: Declarations | null = null;

/** Sets the declarations, once, before the service is created. */
export function declare(declarations: Declarations): void {
  declared = declarations;
}

/**
 * Returns a function that derives a value from the declarations at its first call. Decorators and projections need it:
 * they are evaluated before any injection, and areas do not import each other.
 */
export function derive<T>(create: (declarations: Declarations) => T): () => T {
  let derived: { readonly value: T } | null = null;
  return () => {
    if (declared === null) throw new Error('src/features.ts has not been loaded');
    derived ??= { value: create(declared) };
    return derived.value;
  };
}
