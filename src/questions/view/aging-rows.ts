import type { AgingIssue } from '../../model/answer.ts';
import type { FigureCell, FigureColumn } from './figure-table.ts';
import { timeText } from './figure-words.ts';

/** The columns of issues and how long they have been where they are; figures first, for long names push aside what follows. */
export const agingColumns: readonly FigureColumn[] = [
  { title: 'Issue', holds: 'name' },
  { title: 'Summary', holds: 'text' },
  { title: 'For', holds: 'figure' },
  { title: 'Usual (85 %)', holds: 'figure' },
  { title: 'Over by', holds: 'figure' },
  { title: 'Status', holds: 'name' },
  { title: 'With', holds: 'name' },
];

/** One such issue. */
export function agingRow(
  { key, link, summary, status, assignee, ageMs, baseline }: AgingIssue,
  dayMs: number,
): FigureCell[] {
  return [
    { text: key, link },
    { text: summary },
    { text: timeText(ageMs, dayMs) },
    { text: baseline === null ? 'too few to tell' : `≤ ${timeText(baseline.p85, dayMs)}` },
    { text: baseline === null || ageMs <= baseline.p85 ? '' : timeText(ageMs - baseline.p85, dayMs) },
    { text: status.title },
    { text: assignee === null ? 'nobody' : assignee.name },
  ];
}
