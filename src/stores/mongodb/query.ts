import type { Document, Filter, FindOptions } from 'mongodb';
import type { Condition, FindQuery, Scalar, Where } from '../../kernel/read-models.js';
import { type DocumentRow, fieldOf } from './documents.js';

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
export function toFilter(where: Where): Filter<DocumentRow> {
  const conditions = Object.entries(where).map(([path, condition]) => [fieldOf(path), toCondition(condition)] as const);
  return { live: { $eq: true }, ...Object.fromEntries(conditions) };
}

/**
 * Returns the parts of a list in order, each of which follows an index. Null sorts before all values and a comparison
 * with null matches nothing, so after a sort key the values and the nulls are separate parts.
 */
export function toListQueries({ where, orderBy, ascending = false, after }: FindQuery): Query[] {
  const field = fieldOf(orderBy);
  const direction = ascending ? 1 : -1;
  const sort = { [field]: direction, _id: direction } as const;
  const parts = after === undefined ? [{}] : toAfterConditions(field, after, ascending);
  return parts.map((part) => ({ filter: { $and: [toFilter(where), part] }, sort }));
}

function toAfterConditions(
  field: string,
  { value, id }: NonNullable<FindQuery['after']>,
  ascending: boolean,
): Document[] {
  const beyond = ascending ? '$gt' : '$lt';
  const isAfterId = { _id: { [beyond]: requireScalar(id) } };
  if (field === '_id') return [isAfterId];

  const [isNull, isNotNull] = [{ [field]: { $eq: null } }, { [field]: { $ne: null } }];
  if (value === null) return ascending ? [{ ...isNull, ...isAfterId }, isNotNull] : [{ ...isNull, ...isAfterId }];

  // The first condition is the bound of the index scan.
  const from = { [field]: { [`${beyond}e`]: requireScalar(value) } };
  const values = { ...from, $or: [{ [field]: { [beyond]: requireScalar(value) } }, isAfterId] };
  return ascending ? [values] : [values, isNull];
}

function toCondition(condition: Condition): Document {
  if (condition === null || typeof condition !== 'object') return { $eq: requireScalar(condition) };
  return 'in' in condition ? { $in: condition.in.map(requireScalar) } : toRangeCondition(condition);
}

/** @throws TypeError for any object that is not a range */
function toRangeCondition({ from, to, ...others }: Range): Document {
  if (Object.keys(others).length > 0) throw new TypeError('a condition is a scalar, a list or a range');
  if (from === undefined && to === undefined) return { $ne: null };
  return {
    ...(from !== undefined && { $gte: requireScalar(from) }),
    ...(to !== undefined && { $lte: requireScalar(to) }),
  };
}

/** @throws TypeError for an object, which a cast may have hidden from the compiler */
function requireScalar(value: Scalar): Scalar {
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value))
    throw new TypeError('a value of a condition is a scalar');
  return value;
}
