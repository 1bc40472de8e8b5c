import type { Instant } from '../model/issue.ts';
import type { DateFormats } from '../model/settings.ts';
import { type Cell, type Column, cellIn, type IssueFacts, type Table } from '../model/table.ts';
import { dateText, dayText } from '../time/date-text.ts';
import { durationText, numberText, type ViewFormat } from './readable-text.ts';

/** How raw values become text. `dayMs` is the length of a day where days are asked for. */
export interface TableWording {
  readonly viewFormat: ViewFormat;
  readonly dayMs: number;
  readonly timeZone: string;
  readonly formats: DateFormats;
}

/** Stands for "never": a value of its own, distinct from 0. */
export const NEVER = '-';

/** A table in words: the titles, and each line's texts in the order of the titles, made as they are read. */
interface TableRecords {
  readonly titles: readonly string[];
  readonly lines: Iterable<readonly string[]>;
}

/**
 * The table as titles and text lines, with the state of each issue's history as the last column and, where some of
 * it is cut, the unknown time before it. An issue without
 * any line still gets one, so that it never vanishes without a word.
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
            ...columns.map((column) => cellText(column, cellIn(line, column), wording)),
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
  const [groups, values] = [
    columns.filter((column) => column.part !== 'value'),
    columns.filter((column) => column.part === 'value'),
  ];
  const history = historiesText(provenance);
  const lines = {
    *[Symbol.iterator]() {
      for (const line of rows) {
        yield [
          ...groups.map((column) => cellText(column, cellIn(line, column), wording)),
          String(line.issueCount ?? 0),
          ...values.map((column) => cellText(column, cellIn(line, column), wording)),
          history,
        ];
      }
    },
  };
  const titles = columns.map((column) => column.title);
  const [count = '', last = ''] = ownTitles(['Issues', 'History'], titles);
  return {
    titles: [...groups.map((column) => column.title), count, ...values.map((column) => column.title), last],
    lines,
  };
}

/** Whether all the issues' histories are whole, in a few words. */
export function historiesText(provenance: Table['provenance']): string {
  return provenance.complete ? 'complete' : incompleteText(provenance) || 'not complete, see the notes';
}

/** How far the figures of several issues can be trusted. */
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

/** Time nobody knows anything of, so that the times of an issue still add up to its age. */
function unknownText({ unknown }: IssueFacts, wording: TableWording): string {
  return unknown === null ? NEVER : durationText(unknown.ms, wording.viewFormat, wording.dayMs);
}

function cellText(column: Column, cell: Cell | undefined, wording: TableWording): string {
  if (cell === undefined) return NEVER;
  if (typeof cell.value === 'string') {
    return column.kind === 'day' ? dayText(cell.value, wording.formats.dateFormat) : cell.value;
  }
  switch (column.kind) {
    case 'duration':
      return durationText(cell.value, wording.viewFormat, wording.dayMs);
    case 'instant':
      return dateText(cell.value, wording.formats.dateTimeFormat, wording.timeZone);
    case 'count':
      return numberText(cell.value);
    default:
      return String(cell.value);
  }
}

/** How instants, and the tracker's own words, are written where the text goes. */
export interface HistoryWording {
  readonly date: (at: Instant) => string;
  readonly words: (text: string) => string;
}

/** Whether the figures of an issue rest on its whole history, in one short sentence for every output. */
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

/** The same with the statuses that are left out of the figures because they are gone. */
export function issueHistoryText(facts: IssueFacts, wording: HistoryWording): string {
  const text = historyText(facts, wording);
  return facts.leftOut.length === 0 ? text : `${text}; left out: ${facts.leftOut.join(', ')} (deleted)`;
}
