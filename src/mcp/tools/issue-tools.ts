import { z } from 'zod';
import { checkParameters } from '../../api/parameters/check-parameters.ts';
import { columnsBy } from '../../api/parameters/columns.ts';
import { issueKey, wholeNumber, words } from '../../api/parameters/parameter.ts';
import { AppError, sentencesOf } from '../../model/error.ts';
import { reportIds } from '../../model/report-ids.ts';
import type { ReportRequest } from '../../model/request.ts';
import { type Cells, cellOf, type Table } from '../../model/table.ts';
import type { ValueWords } from '../../output/figure-words.ts';
import { NEVER_TEXT } from '../../output/table-records.ts';
import { isoText } from '../../time/date-text.ts';
import {
  answerText,
  duration,
  durationOf,
  factLines,
  facts,
  partText,
  tableFacts,
  wordingOf,
  zonedText,
} from '../answer-facts.ts';
import { historyParameters, issueParameters, readRequest } from '../inputs.ts';
import { currentText, issueContent, issueOf, issuesOf } from '../issue-facts.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const MAX_KEYS = 20;
const oneKey = z.object({ issueKeys: issueKey });

const timeInStatus = defineTool({
  name: 'time_in_status',
  title: 'Time in status of issues',
  description:
    'How long one to 20 issues, named by key, spent in each status: duration, number of visits, the current status and since when, and whether the history is complete. With columnsBy any other report over issues, such as time by assignee.',
  takesLong: false,
  parameters: z.object({
    issueKeys: words
      .refine((keys) => keys.length > 0 && keys.length <= MAX_KEYS, {
        error: `must be 1 to ${MAX_KEYS} issue keys. Try: WEB-1`,
      })
      .meta({ minItems: 1, maxItems: MAX_KEYS, description: 'Keys of the issues, such as WEB-12.' }),
    ...issueParameters,
  }),
  output: z.object({
    ...facts.shape,
    issues: z.array(issueContent),
    notFound: z
      .array(z.string())
      .meta({ description: 'Keys that do not exist, or that you cannot see; they are in no figure.' }),
  }),
  async answer(input, context) {
    for (const key of input.issueKeys) checkParameters(oneKey, new Map([['issueKeys', key]]));
    const selection = { by: 'keys', keys: input.issueKeys } as const;
    const request = await readRequest(input, 'issue', selection, context);
    const { table, notFound } = await reportOnVisible(request, context);
    const { provenance } = table;
    const wording = wordingOf(provenance, input);
    const issues = issuesOf(table, wording);
    const content = { ...tableFacts(provenance, wording), issues, notFound: [...notFound] };
    const { text } = answerText(
      [
        `Report ${provenance.reportType} of ${issues.map(({ key }) => key).join(', ')}.`,
        ...issues.map(
          (one) => `${one.key} "${one.summary ?? ''}": ${nowText(one, wording)}History: ${one.history.text}.`,
        ),
        ...(notFound.length === 0
          ? []
          : [`Not found, or not visible to you: ${notFound.join(', ')}. They are in no figure here.`]),
      ],
      [
        {
          columns: ['Issue', 'Column', 'Value', 'Milliseconds', 'Visits', 'Is it there now'],
          rows: issues.flatMap(({ key, values, current }) =>
            values.map(({ id, title, text, ms = null, visits = null, state }) => [
              ...[key, title, state === undefined ? text : `${text} (${state})`, ms, visits],
              current.length === 0 ? null : current.some((one) => one.id === id) ? 'yes' : 'no',
            ]),
          ),
        },
      ],
      [...factLines(provenance, wording), 'A column without a row for an issue: never.'],
    );
    return { content, text };
  },
});

/** The current value of an issue; empty in reports without one. */
function nowText(one: z.output<typeof issueContent>, wording: ValueWords): string {
  const now = currentText(one, wording);
  return now === null ? '' : `now in ${now}. `;
}

/** The report over the visible issues, and the keys of the others; it fails if none is visible. */
async function reportOnVisible(
  request: ReportRequest,
  { reporting }: Pick<ToolContext, 'reporting'>,
): Promise<{ readonly table: Table; readonly notFound: readonly string[] }> {
  const { selection } = request;
  try {
    return { table: await reporting.report(request), notFound: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'unknown-issue' || selection.by !== 'keys')
      throw error;
    const { keys: missing } = error.data;
    if (!Array.isArray(missing)) throw error;
    const notFound = selection.keys.filter((key) => missing.includes(key.toUpperCase()));
    const keys = selection.keys.filter((key) => !notFound.includes(key));
    if (keys.length === 0 || notFound.length === 0) throw renamed(error);
    return { table: await reporting.report({ ...request, selection: { by: 'keys', keys } }), notFound };
  }
}

/** The failure with the name of the argument of this tool. */
function renamed(error: AppError): AppError {
  const { reason, message, parts, data } = error;
  const details = parts.map((part) => (typeof part === 'string' ? part : { ...part, field: 'issueKeys' }));
  return new AppError(reason, details.length > 0 ? message : sentencesOf(error).join(' '), details, { data });
}

const MAX_VISITS = 100;

const visit = z.object({
  index: z.int(),
  id: z.string().nullable().meta({ description: 'Id of the value, such as a status; null: empty.' }),
  field: z.string().nullable(),
  value: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime().nullable().meta({ description: 'Null while it lasts.' }),
  duration,
  by: z.string().nullable().meta({ description: 'Who moved it there; null: unknown, or the creation.' }),
});

const issueHistory = defineTool({
  name: 'issue_history',
  title: 'Every visit of an issue',
  description:
    'Every visit of one issue to a status, in order: start, end (none while it lasts), duration and who moved it there. With columnsBy anyFieldDurationExpanded and historyFields, visits to the values of other fields.',
  takesLong: false,
  parameters: z.object({
    issueKey,
    columnsBy: columnsBy('visit').default(reportIds.statusDurationExpanded),
    ...historyParameters,
    startIndex: wholeNumber(0, 1_000_000).default(0).meta({
      description: 'Index of the first visit to show, from 0; the answer gives the next one.',
    }),
  }),
  output: z.object({
    ...facts.shape,
    issue: issueContent.omit({ values: true }),
    visits: z.array(visit),
    totalVisits: z.int(),
    nextStartIndex: z.int().nullable().meta({ description: 'Ask with it as startIndex; null: the end.' }),
  }),
  async answer({ issueKey: key, startIndex, ...input }, context) {
    const request = await readRequest(input, 'visit', { by: 'keys', keys: [key] }, context);
    const table = await context.reporting.report(request);
    const { provenance } = table;
    const wording = wordingOf(provenance, input);
    const [one] = table.issues;
    if (one === undefined) throw new Error('A report of a key has its issue.');
    const { values: _, ...shown } = issueOf(one, undefined, table, wording);
    const totalVisits = table.rows.length;
    const visits = table.rows.slice(startIndex, startIndex + MAX_VISITS).map(({ cells }, i) => ({
      index: startIndex + i,
      ...visitOf(cells),
      duration: durationOf(Number(cellOf(cells, 'duration')?.value ?? 0), wording) ?? { ms: 0, text: '0s' },
    }));
    const { next, range, more } = partText(startIndex, visits.length, totalVisits);
    const content = {
      ...tableFacts(provenance, wording),
      issue: shown,
      visits,
      totalVisits,
      nextStartIndex: next,
    };
    const at = (text: string | null) =>
      text === null ? 'still there' : zonedText(Date.parse(text), wording);
    const { text } = answerText(
      [
        `Visits of ${shown.key} "${shown.summary ?? ''}" (${provenance.reportType}). History: ${shown.history.text}.`,
        `Visits ${range} of ${totalVisits}.${more}`,
      ],
      [
        {
          columns: ['#', 'Value', 'Start', 'End', 'Duration', 'Milliseconds', 'Moved there by'],
          rows: visits.map((one) => [
            ...[one.index + 1, one.value, at(one.start), at(one.end)],
            ...[one.duration.text, one.duration.ms, one.by ?? (one.index === 0 ? 'creation' : 'unknown')],
          ]),
        },
      ],
      factLines(provenance, wording),
    );
    return { content, text };
  },
});

function visitOf(cells: Cells) {
  const [value, field, end] = [cellOf(cells, 'value'), cellOf(cells, 'field'), cellOf(cells, 'end')];
  const by = cellOf(cells, 'transitionedBy');
  return {
    id: value?.id ?? null,
    field: field === undefined ? null : String(field.value),
    value: String(value?.value ?? NEVER_TEXT),
    start: isoText(Number(cellOf(cells, 'start')?.value)),
    end: end === undefined ? null : isoText(Number(end.value)),
    by: by === undefined ? null : String(by.value),
  };
}

/** The tools about issues that are named. */
export const issueTools = [timeInStatus, issueHistory];
