import type { BuildState, ProjectionStatus } from '../../../engine/builds/status.js';
import { formatFields, formatTable } from '../format.js';

export function formatProjectionList(projections: readonly ProjectionStatus[]): string[] {
  const heads = ['projection', 'reads use', 'documents', 'state', 'other builds'];
  return formatTable(heads, projections.map(toCells));
}

export function formatProjectionStatus({
  name,
  current,
  active,
  previous,
  paused,
  head,
  builds,
}: ProjectionStatus): string[] {
  const known = formatFields({
    projection: name,
    in_the_code: formatBoolean(current),
    reads_use: active,
    before_that: previous,
    paused: formatBoolean(paused),
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
  return [...known, '', ...formatTable(['build', 'status', 'documents', 'position', 'created at', 'error'], rows)];
}

function toCells(projection: ProjectionStatus): string[] {
  const { name, active, builds } = projection;
  const read = builds.find((build) => build.name === active);
  const others = builds.filter((build) => build.name !== active).map(({ n, status }) => `#${n} ${status}`);
  return [name, active ?? '-', `${read?.documents ?? '-'}`, describeState(projection, read), others.join(', ') || '-'];
}

function describeState({ current, paused, head }: ProjectionStatus, read: BuildState | undefined): string {
  if (!current) return 'not in the code';
  if (paused) return 'paused';
  if (read === undefined) return 'not built yet';
  return read.position >= head ? 'at the head' : 'lagging';
}

function formatBoolean(value: boolean): string {
  return value ? 'yes' : 'no';
}
