import type { Instant } from '../model/issue.ts';
import type { DateFormats } from '../model/settings.ts';
import { type Cell, type Column, cellIn, type IssueFacts, type Row, type Table } from '../model/table.ts';
import { dateText, dayText } from '../time/date-text.ts';
import { durationText, numberText, type ViewFormat } from './readable-text.ts';

/** The wording of raw values. `dayMs` is the length of a day in durations. */
export interface TableWording {
  readonly viewFormat: ViewFormat;
  readonly dayMs: number;
  readonly timeZone: string;
  readonly formats: DateFormats;
}

/** The text of never, which is not 0. */
export const NEVER_TEXT = '-';

/** A table in words: the titles, and each line's texts in the order of the titles, made as they are read. */
interface TableRecords {
  readonly titles: readonly string[];
  readonly lines: Iterable<readonly string[]>;
}

/**
 * The table as titles and text lines, with the state of each issue's history as the last column and, if some history is
 * cut, the unknown time before it. An issue without lines gets one, so that it is never missing silently.
 */
export function tableRecords(table: Table, wording: TableWording): TableRecords {
  return table.statistic === null ? issueRecords(table, wording) : groupRecords(table, wording);
}

function issueRecords(table: Table, wording: TableWording): TableRecords {
  const columns = table.columns;
  const { formats, timeZone } = wording;
  const historyWording = {
    date: (at: Instant) => dateText(at, formats.dateTimeFormat, timeZone),
    words: (text: string) => text,
  };
  const unknown = table.issues.some((issue) => issue.unknown !== null);
  const rows = Map.groupBy(table.rows, (row) => row.issueKey);
  const lines = {
    *[Symbol.iterator]() {
      for (const issue of table.issues) {
        for (const line of rows.get(issue.key) ?? [{ own: issue.cells, cells: {} }]) {
          yield [
            ...columns.map((column) => tableText(column, cellIn(line, column), wording)),
            ...(unknown ? [unknownText(issue, wording)] : []),
            issueHistoryText(issue, historyWording),
          ];
        }
      }
    },
  };
  const titles = columns.map((column) => column.title);
  return { titles: [...titles, ...ownTitles([...(unknown ? ['Unknown'] : []), 'History'], titles)], lines };
}

/** Groups of issues: what they have in common, how many they are, and one figure per value column. */
function groupRecords({ columns, rows, provenance }: Table, wording: TableWording): TableRecords {
  const [groups, values] = splitColumns(columns);
  const history = historiesText(provenance);
  const textsOf = (line: Row, part: readonly Column[]) =>
    part.map((column) => tableText(column, cellIn(line, column), wording));
  const lines = {
    *[Symbol.iterator]() {
      for (const line of rows)
        yield [...textsOf(line, groups), String(line.issueCount ?? 0), ...textsOf(line, values), history];
    },
  };
  const titlesOf = (part: readonly Column[]) => part.map(({ title }) => title);
  const [count = '', last = ''] = ownTitles(['Issues', 'History'], titlesOf(columns));
  return { titles: [...titlesOf(groups), count, ...titlesOf(values), last], lines };
}

/** The completeness of all the issues' histories, in a few words. */
export function historiesText(provenance: Table['provenance']): string {
  return provenance.complete ? 'complete' : incompleteText(provenance) || 'not complete, see the notes';
}

/** The limits of the figures of several issues, in sentences; empty where they are complete. */
export function incompleteText({
  issues,
  cutHistories,
  undecided,
  unasked = 0,
}: Table['provenance']): string {
  return [
    ...(cutHistories > 0 ? [`${cutHistories} of ${issues} histories cut`] : []),
    ...(undecided > 0
      ? [
          `${undecided} ${undecided === 1 ? 'issue' : 'issues'} left out because it is unknown whether ${undecided === 1 ? 'it belongs' : 'they belong'} here`,
        ]
      : []),
    ...(unasked > 0 ? [`${unasked} issues left out because their permissions are unknown`] : []),
  ].join('; ');
}

/** Our own titles beside those of the table. */
export function ownTitles(ours: readonly string[], titles: readonly string[]): string[] {
  return ours.map((title) => (titles.includes(title) ? `${title} (Dwell)` : title));
}

/** Time without any known value, with which the times of an issue add up to its age. */
function unknownText({ unknown }: IssueFacts, wording: TableWording): string {
  return unknown === null ? NEVER_TEXT : durationText(unknown.ms, wording.viewFormat, wording.dayMs);
}

/** A cell as text; "-" alone means never. */
export function tableText(
  { kind }: Pick<Column, 'kind'>,
  cell: Cell | undefined,
  { viewFormat, dayMs, timeZone, formats }: TableWording,
): string {
  if (cell === undefined) return NEVER_TEXT;
  const { value } = cell;
  if (typeof value === 'string') return kind === 'day' ? dayText(value, formats.dateFormat) : value;
  switch (kind) {
    case 'duration':
      return durationText(value, viewFormat, dayMs);
    case 'instant':
      return dateText(value, formats.dateTimeFormat, timeZone);
    case 'count':
      return numberText(value);
    default:
      return String(value);
  }
}

/** The columns of the groups and fields of a table, and those of its values. */
export function splitColumns(columns: readonly Column[]): readonly [groups: Column[], values: Column[]] {
  const isValue = ({ part }: Column) => part === 'value';
  return [columns.filter((column) => !isValue(column)), columns.filter(isValue)];
}

/** The writers of instants, and of the tracker's own words, for the place of the text. */
export interface HistoryWording {
  readonly date: (at: Instant) => string;
  readonly words: (text: string) => string;
}

/** The completeness of the history behind an issue's figures, in one short sentence for every output. */
export function historyText(
  { history, contradictions }: Pick<IssueFacts, 'history' | 'contradictions'>,
  { date, words }: HistoryWording,
): string {
  const steps = contradictions === 1 ? '1 step' : `${contradictions} steps`;
  const missing = contradictions === 0 ? '' : ` (it contradicts itself at ${steps})`;
  if (history.complete) return `complete${missing}`;
  const { unknownFrom, unknownUntil } = history;
  const reason = words(history.reason);
  if (unknownFrom === null && unknownUntil === null) return `unknown: ${reason}${missing}`;
  if (unknownFrom === null && unknownUntil !== null) {
    return `cut before ${date(unknownUntil)}: ${reason}${missing}`;
  }
  const from = unknownFrom === null ? '' : ` after ${date(unknownFrom)}`;
  const until = unknownUntil === null ? '' : ` until ${date(unknownUntil)}`;
  return `unknown${from}${until}: ${reason}${missing}`;
}

/** This sentence, and the statuses left out of the figures because they were deleted. */
export function issueHistoryText(facts: IssueFacts, wording: HistoryWording): string {
  const text = historyText(facts, wording);
  return facts.leftOut.length === 0 ? text : `${text}; left out: ${facts.leftOut.join(', ')} (deleted)`;
}
