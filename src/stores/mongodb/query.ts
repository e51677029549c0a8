import type { Document, Filter, FindOptions } from 'mongodb';
import type { Condition, Find, Scalar, Where } from '../../kernel/read-models.js';
import { fieldOf, type DocumentRow } from './documents.js';

/** A query with the order of its results. */
export interface Query {
  readonly filter: Filter<DocumentRow>;
  readonly sort: NonNullable<FindOptions['sort']>;
}

type Range = Extract<Condition, { readonly from?: unknown }>;

/**
 * Returns the filter for documents that match all of `where`, without tombstones. Every external value is the operand
 * of an operator.
 */
export function matching(where: Where): Filter<DocumentRow> {
  const conditions = Object.entries(where).map(([path, condition]) => [fieldOf(path), holds(condition)] as const);
  return { live: { $eq: true }, ...Object.fromEntries(conditions) };
}

/**
 * Returns the parts of a list in order, each of which follows an index. Null sorts before all values and a comparison
 * with null matches nothing, so after a sort key the values and the nulls are separate parts.
 */
export function listed({ where, orderBy, ascending = false, after }: Find): Query[] {
  const field = fieldOf(orderBy);
  const direction = ascending ? 1 : -1;
  const sort = { [field]: direction, _id: direction } as const;
  const parts = after === undefined ? [{}] : behind(field, after, ascending);
  return parts.map((part) => ({ filter: { $and: [matching(where), part] }, sort }));
}

function behind(field: string, { value, id }: NonNullable<Find['after']>, ascending: boolean): Document[] {
  const beyond = ascending ? '$gt' : '$lt';
  const behindId = { _id: { [beyond]: scalar(id) } };
  if (field === '_id') return [behindId];

  const [isNull, isNotNull] = [{ [field]: { $eq: null } }, { [field]: { $ne: null } }];
  if (value === null) return ascending ? [{ ...isNull, ...behindId }, isNotNull] : [{ ...isNull, ...behindId }];

  // The first condition is the bound of the index scan.
  const from = { [field]: { [`${beyond}e`]: scalar(value) } };
  const values = { ...from, $or: [{ [field]: { [beyond]: scalar(value) } }, behindId] };
  return ascending ? [values] : [values, isNull];
}

function holds(condition: Condition): Document {
  if (condition === null || typeof condition !== 'object') return { $eq: scalar(condition) };
  return 'in' in condition ? { $in: condition.in.map(scalar) } : within(condition);
}

/** @throws TypeError for any object that is not a range */
function within({ from, to, ...others }: Range): Document {
  if (Object.keys(others).length > 0) throw new TypeError('a condition is a scalar, a list or a range');
  if (from === undefined && to === undefined) return { $ne: null };
  return { ...(from !== undefined && { $gte: scalar(from) }), ...(to !== undefined && { $lte: scalar(to) }) };
}

/** @throws TypeError for an object, which a cast may have hidden from the compiler */
function scalar(value: Scalar): Scalar {
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError('a value of a condition is a scalar');
  return value;
}
