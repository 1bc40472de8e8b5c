import type { IssueAnswer } from '../../../api/answers/issue/issue-summary.ts';
import { type Cell, cellIn, type Row, type Table } from '../../../model/table.ts';
import { timeText } from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { dateText } from '../../../time/date-text.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import { cappedTable } from '../view/figures-drawn.ts';

const NAME_LENGTH = 80;
/** The number of moves to one status that a sentence names; the table has all. */
const MOVES = 3;

type Moves = NonNullable<IssueAnswer['by']>;

/** Every move of an issue in a table, the oldest first. */
export function historyParts(
  { provenance }: Pick<IssueAnswer, 'provenance'>,
  { table }: Moves,
  timeZone: string,
): Pick<AnswerSheet, 'summary' | 'chart' | 'table' | 'remarks' | 'details'> {
  const dayMs = dayMsOf(provenance.calendar);
  const rows = table.rows.map((row) => {
    const { status, at, by, ms } = moveOf(row, table);
    const when = at === null ? '–' : dateText(at, 'EEE, MMM d, yyyy HH:mm', timeZone);
    return [status, when, by?.name ?? '–', timeText(ms, dayMs)].map((text) => ({ text }));
  });
  const columns = [
    { title: 'Status', holds: 'text' as const },
    { title: 'Since', holds: 'figure' as const },
    { title: 'Moved by', holds: 'name' as const },
    { title: 'Time', holds: 'figure' as const },
  ];
  return cappedTable({ columns, rows, what: 'moves' });
}

/** When an issue was moved to the status that is asked about, and by whom; that it was created in it; or that it never was. */
export function movesText(
  { key, by, history }: IssueAnswer,
  { strong, date, person, words }: Wording,
): readonly string[] {
  const to = by?.to ?? null;
  if (by === null || to === null) return [];
  const visits = by.table.rows.map((row) => moveOf(row, by.table));
  const moves = visits.filter(({ statusId }) => statusId !== null && to.ids.includes(statusId));
  const name = shorten(to.name, NAME_LENGTH);
  if (moves.length === 0) {
    return [
      history.complete
        ? `${words(key)} was never in ${strong(name)}.`
        : `No move of ${words(key)} to ${strong(name)} is known.`,
    ];
  }
  // The first visit of a whole history began with the issue itself.
  const created = history.complete && moves[0] === visits[0] ? (moves[0]?.at ?? null) : null;
  const later = created === null ? moves : moves.slice(1);
  const shown = later.slice(0, MOVES).map(({ at, by: mover }) => {
    const who = mover === null ? '' : ` by ${person(mover)}`;
    return `${at === null ? 'at an unknown time' : date(at)}${who}`;
  });
  const more = later.length > shown.length ? `; and ${later.length - shown.length} more` : '';
  const times = `${shown.join('; ')}${more}`;
  if (created === null) return [`Moved to ${strong(name)} ${times}.`];
  return [
    `Created in ${strong(name)} ${date(created)}${later.length === 0 ? '' : `, moved to it again ${times}`}.`,
  ];
}

function moveOf(row: Row, table: Table) {
  const cellOf = (id: string): Cell | undefined => {
    const column = table.columns.find((one) => one.id === id);
    return column === undefined ? undefined : cellIn(row, column);
  };
  const numberOf = (id: string) => {
    const value = cellOf(id)?.value;
    return typeof value === 'number' ? value : null;
  };
  const [status, mover] = [cellOf('value'), cellOf('transitionedBy')];
  return {
    status: shorten(String(status?.value ?? ''), NAME_LENGTH) || '(no name)',
    statusId: status?.id ?? null,
    at: numberOf('start'),
    ms: numberOf('duration'),
    by: mover === undefined ? null : { id: mover.id ?? null, name: String(mover.value) },
  };
}
