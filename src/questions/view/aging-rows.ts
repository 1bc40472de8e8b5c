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
  { key, link, summary, status, assignee, ageMs, usual }: AgingIssue,
  dayMs: number,
): FigureCell[] {
  return [
    { text: key, link },
    { text: summary },
    { text: timeText(ageMs, dayMs) },
    { text: usual === null ? 'too few to tell' : `≤ ${timeText(usual.p85, dayMs)}` },
    { text: usual === null || ageMs <= usual.p85 ? '' : timeText(ageMs - usual.p85, dayMs) },
    { text: status.title },
    { text: assignee === null ? 'nobody' : assignee.name },
  ];
}
