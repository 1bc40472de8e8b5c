import { z } from 'zod';
import type { Instant } from '../model/issue.ts';
import {
  type Cell,
  type Cells,
  type Column,
  cellOf,
  type IssueFacts,
  type Row,
  type Table,
} from '../model/table.ts';
import type { ValueWords } from '../output/figure-words.ts';
import { numberText } from '../output/readable-text.ts';
import { issueHistoryText, NEVER_TEXT } from '../output/table-records.ts';
import { isoText } from '../time/date-text.ts';
import { durationOf, isoOrNull, type TextTable, zonedText } from './answer-facts.ts';

/** A value in a column of a report; a column that is absent means never. */
export const figure = z
  .object({
    id: z.string().meta({ description: 'Id of the column, such as a status id.' }),
    title: z.string(),
    text: z.string().meta({ description: 'The value to read; "-" means never.' }),
    ms: z.int().optional().meta({ description: 'Of a duration: counted milliseconds.' }),
    count: z.number().optional().meta({ description: 'Of a count: the count itself, or its statistic.' }),
    at: z.iso.datetime().optional().meta({ description: 'Of a date with a time.' }),
    visits: z.number().optional().meta({ description: 'How many visits the value is made of.' }),
    state: z.enum(['notStarted', 'running', 'paused', 'completed', 'unknown']).optional().meta({
      description: 'Of durationBetweenStatuses: how far the clock has come.',
    }),
  })
  .meta({ id: 'Figure' });

const history = z
  .object({
    complete: z.boolean(),
    text: z.string().meta({ description: 'The same to read, with the reason where it is not whole.' }),
    reason: z.string().nullable(),
    unknownFrom: z.iso.datetime().nullable().meta({ description: 'Null with complete false: its creation.' }),
    unknownUntil: z.iso.datetime().nullable().meta({ description: 'Null with complete false: now.' }),
    unknownMs: z.int().meta({ description: 'Counted time without any known value.' }),
    contradictions: z.int().meta({ description: 'Steps at which the history contradicts itself.' }),
  })
  .meta({ id: 'History' });

/** The text of an issue or a group in a column that is not a value. */
export const namedText = z
  .object({ id: z.string(), title: z.string(), text: z.string() })
  .meta({ id: 'NamedText' });

/** One issue of a report. */
export const issueContent = z.object({
  key: z.string(),
  summary: z.string().nullable(),
  link: z.string().nullable(),
  fields: z.array(namedText).meta({ description: 'The requested fields.' }),
  values: z.array(figure),
  current: z
    .array(z.object({ id: z.string(), title: z.string(), since: z.iso.datetime().nullable() }))
    .meta({ description: 'Where the issue is now, by column, and since when; since null: unknown.' }),
  history,
});

/** The value columns of a table. */
export function valueColumns({ columns }: Pick<Table, 'columns'>): readonly Column[] {
  return columns.filter(({ part }) => part === 'value');
}

/** An issue of a table, for programs. */
export function issueOf(facts: IssueFacts, row: Row | undefined, table: Table, wording: ValueWords) {
  const { key, link, cells, current } = facts;
  const values = valueColumns(table).flatMap((column) => {
    const states = row?.states ?? {};
    const state = Object.hasOwn(states, column.id) ? states[column.id] : undefined;
    const one = figureOf(column, cellOf(row?.cells ?? {}, column.id), wording);
    if (one === null && state === undefined) return [];
    return [
      {
        ...(one ?? { id: column.id, title: column.title, text: NEVER_TEXT }),
        ...(state === undefined ? {} : { state }),
      },
    ];
  });
  const summary = cellOf(cells, 'summary')?.value;
  return {
    key,
    link,
    values,
    summary: summary === undefined ? null : String(summary),
    fields: namedTexts(table, ['group', 'field'], cells, wording),
    current: current.map(({ columnId, title, since }) => ({ id: columnId, title, since: isoOrNull(since) })),
    history: historyOf(facts, wording),
  };
}

type IssueContent = z.output<typeof issueContent>;

/** The issues of a table with one row per issue, for programs. */
export function issuesOf(table: Table, wording: ValueWords): IssueContent[] {
  const rows = new Map(table.rows.map((row) => [row.issueKey, row]));
  return table.issues.map((one) => issueOf(one, rows.get(one.key), table, wording));
}

/** The completeness of an issue's history, for programs. */
function historyOf(facts: IssueFacts, wording: ValueWords): z.output<typeof history> {
  const { history: own, unknown, contradictions } = facts;
  const cut = own.complete ? null : own;
  const date = (at: Instant) => zonedText(at, wording);
  return {
    complete: own.complete,
    text: issueHistoryText(facts, { date, words: (text) => text }),
    reason: cut?.reason ?? null,
    unknownFrom: isoOrNull(cut?.unknownFrom ?? null),
    unknownUntil: isoOrNull(cut?.unknownUntil ?? null),
    unknownMs: Math.round(unknown?.ms ?? 0),
    contradictions,
  };
}

/** The texts of an issue or a group in columns that are not values. */
export function namedTexts(
  { columns }: Pick<Table, 'columns'>,
  parts: readonly Column['part'][],
  cells: Cells,
  wording: ValueWords,
): z.output<typeof namedText>[] {
  return columns
    .filter(({ part }) => parts.includes(part))
    .map((column) => ({
      id: column.id,
      title: column.title,
      text: figureOf(column, cellOf(cells, column.id), wording)?.text ?? '(none)',
    }));
}

/** A value for programs; null for a never. */
export function figureOf(
  { id, title, kind }: Pick<Column, 'id' | 'title' | 'kind'>,
  cell: Cell | undefined,
  wording: ValueWords,
): z.output<typeof figure> | null {
  if (cell === undefined) return null;
  const { value } = cell;
  const visits = cell.visits === undefined ? {} : { visits: cell.visits };
  if (typeof value === 'string') return { id, title, text: value };
  switch (kind) {
    case 'duration':
      return { id, title, text: NEVER_TEXT, ...durationOf(value, wording), ...visits };
    case 'instant':
      return { id, title, text: zonedText(value, wording), at: isoText(value) };
    case 'count':
      return { id, title, text: numberText(value), count: value, ...visits };
    default:
      return { id, title, text: String(value) };
  }
}

/** Tables with more columns are hard to read, and mostly empty: their values are named in one cell. */
const MAX_COLUMNS = 10;

/** Titles and cells of some values, a column each or all in one. */
export function valueCells(columns: readonly Column[]): {
  readonly titles: readonly string[];
  cells(values: readonly z.output<typeof figure>[]): readonly (string | null)[];
} {
  const texts = ({ text, state }: z.output<typeof figure>) =>
    state === undefined ? text : `${text} (${state})`;
  if (columns.length > MAX_COLUMNS) {
    return {
      titles: ['Values (columns that are not named: never)'],
      cells: (values) => [values.map((one) => `${one.title}: ${texts(one)}`).join('; ') || null],
    };
  }
  return {
    titles: columns.map(({ title, kind }) => (kind === 'count' ? `${title} (count)` : title)),
    cells: (values) =>
      columns.map(({ id }) => {
        const found = values.find((one) => one.id === id);
        return found === undefined ? null : texts(found);
      }),
  };
}

/** The current status of an issue, to read. */
export function currentText({ current }: IssueContent, wording: ValueWords): string | null {
  const named = current.map(
    ({ title, since }) =>
      `${title} since ${since === null ? 'an unknown time' : zonedText(Date.parse(since), wording)}`,
  );
  return named.length === 0 ? null : named.join('; ');
}

/** A list of issues as one table, histories only where one is not whole. */
export function issuesTable(
  issues: readonly IssueContent[],
  table: Pick<Table, 'columns'>,
  wording: ValueWords,
): TextTable {
  const values = valueCells(valueColumns(table));
  const fields = table.columns.filter(({ part }) => part === 'group' || part === 'field');
  const isDoubtful = issues.some(({ history: own }) => own.text !== 'complete');
  return {
    columns: [
      'Issue',
      'Summary',
      ...fields.map(({ title }) => title),
      ...values.titles,
      'Now',
      ...(isDoubtful ? ['History'] : []),
    ],
    rows: issues.map((one) => [
      one.key,
      shortSummary(one.summary),
      ...one.fields.map(({ text }) => text),
      ...values.cells(one.values),
      currentText(one, wording),
      ...(isDoubtful ? [one.history.text] : []),
    ]),
  };
}

const SUMMARY_LENGTH = 80;

/** A summary, cut to the length by which people recognize an issue. */
export function shortSummary(summary: string | null): string | null {
  if (summary === null || summary.length <= SUMMARY_LENGTH) return summary;
  return `${summary.slice(0, SUMMARY_LENGTH - 1).toWellFormed()}…`;
}
