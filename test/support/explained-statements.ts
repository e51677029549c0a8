import type { SQLInputValue } from 'node:sqlite';
import { Statements } from '../../src/stores/embedded/sqlite.js';

/** Records the plan of each query. */
export class ExplainedStatements extends Statements {
  readonly plans: string[] = [];

  override all<R extends object>(sql: string, ...values: SQLInputValue[]): R[] {
    this.explain(sql, values);
    return super.all<R>(sql, ...values);
  }

  override get<R extends object>(sql: string, ...values: SQLInputValue[]): R | undefined {
    this.explain(sql, values);
    return super.get<R>(sql, ...values);
  }

  private explain(sql: string, values: readonly SQLInputValue[]): void {
    if (!sql.startsWith('select')) return;
    const steps = super.all<{ detail: string }>(`explain query plan ${sql}`, ...values);
    this.plans.push(steps.map(({ detail }) => detail).join('; '));
  }
}
