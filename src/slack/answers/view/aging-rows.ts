import type { AgingIssue } from '../../../api/answers/aging/aging-answer.ts';
import { NEVER, paceMark, timesUsual, timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import type { AnswerNudge, AnswerTable } from './answer-sheet.ts';
import { figureTable } from './figures-drawn.ts';

const SUMMARY_LENGTH = 30;
const NAME_LENGTH = 30;

/** An issue of the table: its person (null: no one), and the reason for which it waits, where the table shows these. */
type AgingRow = AgingIssue & { readonly person: string | null; readonly reason?: string | null };

/**
 * Issues and how long they have been in their status; null without any. `title` is that of the column of `person`. Reasons
 * have a column where any issue has one.
 */
export function agingTable(
  issues: readonly AgingRow[],
  { title, dayMs }: { readonly title: string | null; readonly dayMs: number },
): AnswerTable | null {
  const hasReasons = issues.some(({ reason = null }) => reason !== null);
  return figureTable(
    [
      { title: 'Issue', holds: 'name' },
      { title: '× usual', holds: 'figure' },
      { title: 'For', holds: 'figure' },
      { title: 'Status', holds: 'name' },
      ...(title === null ? [] : [{ title, holds: 'name' as const }]),
      ...(hasReasons ? [{ title: 'Reason', holds: 'text' as const }] : []),
      { title: 'Summary', holds: 'name' },
    ],
    issues.map((issue) => [
      { text: issue.key, link: issue.link },
      { text: paceText(issue) },
      { text: timeText(issue.ageMs, dayMs) },
      { text: shorten(issue.status.name, NAME_LENGTH) },
      ...(title === null ? [] : [{ text: shorten(issue.person ?? NEVER, NAME_LENGTH) }]),
      ...(hasReasons ? [{ text: issue.reason ?? NEVER }] : []),
      { text: shorten(issue.summary, SUMMARY_LENGTH) },
    ]),
  );
}

/** The name alone, as a cell of a table mentions no one; null for an unassigned issue. */
export function assigneeText({ assignee }: Pick<AgingIssue, 'assignee'>): string | null {
  return assignee?.name ?? null;
}

/** `🟠 23×`; where usual is no time at all, any time is endlessly more. */
function paceText({ pace, ageMs, usual: baseline }: AgingIssue): string {
  if (baseline === null) return NEVER;
  const times = pace ?? (ageMs > 0 ? Number.POSITIVE_INFINITY : 0);
  return `${paceMark(times)} ${timesUsual(times)}`.trim();
}

/** The reminder of an issue that is not within what is usual; undefined where there is no one to remind. */
export function nudgeOf({ key, ageMs, usual: baseline, assignee }: AgingIssue): AnswerNudge | undefined {
  if (assignee === null || assignee.id === null || (baseline !== null && ageMs <= baseline.p85Ms))
    return undefined;
  return {
    title: `Nudge ${assignee.name} about ${key}`,
    key,
    assignee: { id: assignee.id, name: assignee.name },
  };
}
