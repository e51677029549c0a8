import type { BuildState, ProjectionStatus } from '../engine/builds/status.js';
import { fields, table } from './table.js';

export function listLines(projections: readonly ProjectionStatus[]): string[] {
  const heads = ['projection', 'reads use', 'documents', 'state', 'other builds'];
  return table(heads, projections.map(cellsOf));
}

export function statusLines({ name, current, active, previous, paused, head, builds }: ProjectionStatus): string[] {
  const known = fields({
    projection: name,
    in_the_code: yes(current),
    reads_use: active,
    before_that: previous,
    paused: yes(paused),
    head,
  });
  const rows = builds.map((build) => [
    build.name,
    build.status,
    `${build.documents}`,
    build.position || '-',
    build.created_at,
    build.error ?? '-',
  ]);
  return [...known, '', ...table(['build', 'status', 'documents', 'position', 'created at', 'error'], rows)];
}

function cellsOf(projection: ProjectionStatus): string[] {
  const { name, active, builds } = projection;
  const read = builds.find((build) => build.name === active);
  const others = builds.filter((build) => build.name !== active).map(({ n, status }) => `#${n} ${status}`);
  return [name, active ?? '-', `${read?.documents ?? '-'}`, stateOf(projection, read), others.join(', ') || '-'];
}

function stateOf({ current, paused, head }: ProjectionStatus, read: BuildState | undefined): string {
  if (!current) return 'not in the code';
  if (paused) return 'paused';
  if (read === undefined) return 'not built yet';
  return read.position >= head ? 'at the head' : 'lagging';
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}
