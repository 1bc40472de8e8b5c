import type { StatusCategory } from '../../model/issue.ts';
import type { Column, ObservedStatuses } from '../../model/table.ts';
import type { IssueSummary } from '../issue/issue-summary.ts';
import { issueSlices } from './answer-charts.ts';
import { namedKeys } from './answer-warnings.ts';
import { type Said, say } from './wording.ts';

/** Which statuses the chart of an issue leaves out, for they count as done, and which of them are one slice together. */
export function doneLeftOut({ statuses }: Pick<IssueSummary, 'statuses'>): readonly Said[] {
  const names = statuses.flatMap(({ status, category, ms }) =>
    category === 'Done' && ms > 0 ? [status] : [],
  );
  const { others } = issueSlices({ statuses });
  if (names.length + others.length === 0) return [];
  return [
    say((wording) =>
      [
        ...(names.length === 0
          ? []
          : [
              `Left out of the chart: ${namedKeys(names, wording)}, which ${names.length === 1 ? 'counts' : 'count'} as done.`,
            ]),
        ...(others.length === 0 ? [] : [`Other in the chart: ${namedKeys(others, wording)}.`]),
      ].join(' '),
    ),
  ];
}

/**
 * Whether a column is time in a status of category Done: it only says how long ago work ended, and so is never where
 * the time went.
 */
export function isDoneColumn(column: Column, statuses: ObservedStatuses): boolean {
  return isOfCategory('Done', column, statuses);
}

/** Those of some columns that are not about time before work starts, or after it is done; all where there are no others. */
export function startedColumns(columns: readonly Column[], statuses: ObservedStatuses): readonly Column[] {
  const started = columns.filter(
    (column) => !isDoneColumn(column, statuses) && !isOfCategory('To Do', column, statuses),
  );
  return started.length > 0 ? started : columns;
}

function isOfCategory(
  category: StatusCategory,
  { id, parent, child }: Column,
  { included, deleted }: ObservedStatuses,
): boolean {
  const ids = [id, parent?.id, child?.id];
  return [...included, ...deleted].some((status) => status.category === category && ids.includes(status.id));
}
