import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;
type Grouped = ReturnType<Storage['groupByPropertyName']>;

/**
 * Makes class-validator find the rules of a class once. By itself it searches the classes of all operations for each
 * object that it validates. It passes the name of the outer class as the schema of a nested object, which has no effect
 * on the rules of a class.
 */
export function cacheRules(storage: Storage): void {
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const rules = new Map<unknown, Rules>();
  const groups = new WeakMap<Rules, Grouped>();

  storage.getTargetValidationMetadatas = (target, ...options) => {
    const [, always, strictGroups, names] = options;
    if (always || strictGroups || names) return find(target, ...options);
    const found = rules.get(target) ?? find(target, ...options);
    rules.set(target, found);
    return found;
  };
  storage.groupByPropertyName = (found) => {
    const grouped = groups.get(found) ?? group(found);
    groups.set(found, grouped);
    return grouped;
  };
}
