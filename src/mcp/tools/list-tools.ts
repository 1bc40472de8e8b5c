import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { text } from '../../api/parameters/parameter.ts';
import { stageKinds } from '../../model/flow.ts';
import { categorySources } from '../../model/issue.ts';
import { flowLines, flowOriginText, stageKindWords } from '../../output/flow-text.ts';
import { calendarOf } from '../../time/calendar.ts';
import { answerText, partText } from '../answer-facts.ts';
import { listPaging } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const listed = { total: z.int(), nextStartIndex: z.int().nullable() };

/** A part of the entries with a text in their name, and the text above it. */
function partOf<Thing extends { readonly name: string }>(
  things: readonly Thing[],
  { name = '', startIndex, pageSize }: { name?: string | undefined; startIndex: number; pageSize: number },
) {
  const wanted = name.toLowerCase();
  const matching = things.filter((one) => one.name.toLowerCase().includes(wanted));
  const found = matching.slice(startIndex, startIndex + pageSize);
  const { next, range, more } = partText(startIndex, found.length, matching.length);
  return {
    found,
    list: { total: matching.length, nextStartIndex: next },
    shown: `${range} of ${matching.length}.${more}`,
  };
}

const name = text.optional().meta({ description: 'Only those whose name has this in it, in any case.' });

const listStatuses = defineTool({
  name: 'list_statuses',
  title: 'Workflow statuses',
  description: 'Workflow statuses with their ids, for the parameters of reports, in workflow order.',
  takesLong: false,
  parameters: z.object({ name, ...listPaging }),
  output: z.object({
    statuses: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        category: z.string(),
        deleted: z.boolean(),
        categoryFrom: z
          .enum(['tracker', ...categorySources])
          .meta({ description: 'Who gives the category; assumed: same name, neighbors (in the histories).' }),
        project: z.string().nullable().meta({ description: 'Of a team-managed status: its project.' }),
      }),
    ),
    ...listed,
  }),
  async answer(input, { reporting, principal }) {
    const { found, list, shown } = partOf(await reporting.statuses(principal), input);
    const statuses = found.map(({ id, name, category, categorySource, deleted, scope = null }) => ({
      id,
      name,
      category,
      categoryFrom: categorySource ?? ('tracker' as const),
      deleted,
      project: scope,
    }));
    const rows = statuses.map((one) => [
      ...[one.id, one.name, one.category, one.categoryFrom, one.project, one.deleted ? 'deleted' : 'in use'],
    ]);
    const columns = ['Id', 'Status', 'Category', 'Category from', 'Project', 'State'];
    const { text: fitted } = answerText([`Statuses ${shown}`], [{ columns, rows }], []);
    return { content: { statuses, ...list }, text: fitted };
  },
});

const listCalendars = defineTool({
  name: 'list_calendars',
  title: 'Working calendars',
  description:
    'Working calendars, for the parameter calendar of reports: id, name, time zone, working times and holidays. Search by a part of the name.',
  takesLong: false,
  parameters: z.object({ name, ...listPaging }),
  output: z.object({
    calendars: z.array(
      z.object({
        id: z.int().nullable().meta({ description: 'Null: the built-in 24/7 calendar, normalHours.' }),
        name: z.string(),
        timeZone: z.string(),
        is7x24Calendar: z.boolean(),
        hoursPerWorkingDay: z.number(),
        equalDays: z.boolean().meta({
          description: 'False: its days differ in length; a day in durations is their mean.',
        }),
        workingTimes: z.array(z.object({ weekday: z.string(), start: z.int(), end: z.int() })).meta({
          description: 'start and end are milliseconds after local midnight.',
        }),
        holidays: z.array(z.object({ name: z.string(), date: z.string(), recurring: z.boolean() })),
      }),
    ),
    ...listed,
  }),
  async answer(input, { settings, principal }) {
    const { found, list, shown } = partOf(await settings.calendars(principal), input);
    const calendars = found.map((one) => {
      const { continuous, equalDays, dailyMs } = calendarOf(one);
      return {
        id: one.id,
        name: one.name,
        timeZone: one.timeZone,
        is7x24Calendar: continuous,
        equalDays,
        hoursPerWorkingDay: dailyMs / millisecondsInHour,
        workingTimes: one.workingTimes.map(({ weekday, start, end }) => ({ weekday, start, end })),
        holidays: one.holidays.map((day) => ({ ...day })),
      };
    });
    const { text: fitted } = answerText(
      [`Calendars ${shown}`],
      [
        {
          columns: ['Id for calendar', 'Name', 'Time zone', 'Hours per working day', 'Holidays'],
          rows: calendars.map((one) => [
            ...[one.id ?? 'normalHours', one.name, one.timeZone],
            one.is7x24Calendar ? '24/7' : Number(one.hoursPerWorkingDay.toFixed(2)),
            one.holidays.length,
          ]),
        },
      ],
      ['Working times and the dates of holidays are in the structured content.'],
    );
    return { content: { calendars, ...list }, text: fitted };
  },
});

const listReportTypes = defineTool({
  name: 'list_report_types',
  title: 'Report types',
  description: 'Report types, the values of columnsBy.',
  takesLong: false,
  parameters: z.object({}),
  output: z.object({
    reportTypes: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        shape: z.enum(['issue', 'visit']).meta({
          description: 'issue: a row per issue; visit: every visit of one issue, for issue_history.',
        }),
      }),
    ),
  }),
  async answer(_asked, { reporting }) {
    const reportTypes = reporting.reportTypes.map(({ id, title, shape }) => ({ id, title, shape }));
    const columns = ['columnsBy', 'Title', 'For'];
    const rows = reportTypes.map(({ id, title, shape }) => [
      ...[
        id,
        title,
        shape === 'visit' ? 'issue_history' : 'time_in_status, list_report, aggregate_report, export_report',
      ],
    ]);
    const { text: fitted } = answerText([`${reportTypes.length} report types.`], [{ columns, rows }], []);
    return { content: { reportTypes }, text: fitted };
  },
});

/** The tools that list values for the arguments of reports. */
export const listTools = [listStatuses, listCalendars, listReportTypes];

/** The flow of a project: what is started, waiting, blocked and finished there. */
export const flowTool = defineTool({
  name: 'flow',
  title: 'Flow of a project',
  description:
    'What is started, waiting, blocked and finished in a project: its stages of work in order, and what starts and ends cycle times.',
  takesLong: false,
  parameters: z.object({ project: text.meta({ description: 'Its key.' }) }),
  output: z.object({
    projectKey: z.string(),
    isDefault: z.boolean().meta({ description: 'By the categories of statuses.' }),
    stages: z.array(z.object({ name: z.string(), kind: z.enum(stageKinds), statuses: z.array(z.string()) })),
    start: z.string().nullable().meta({ description: 'The stage that starts the clock.' }),
    end: z.string().nullable().meta({ description: 'The one that ends it.' }),
    rules: z
      .record(z.string(), z.string())
      .meta({ description: 'Clock, target, blockers, issues that do not count, types with other stages.' }),
  }),
  async answer({ project }, { flows, principal }) {
    const shown = await flows.flow(principal, project);
    const { projectKey, isDefault, start, end } = shown;
    const stages = shown.stages.map(({ name, kind, statuses }) => ({
      name,
      kind,
      statuses: statuses.map((one) => one.name),
    }));
    const lines = flowLines(shown);
    const rows = stages.map((one) => [one.name, stageKindWords[one.kind], one.statuses.join(', ')]);
    const { text: fitted } = answerText(
      [`Flow of ${projectKey}. ${flowOriginText(shown)}`],
      [{ columns: ['Stage', 'Kind', 'Statuses'], rows }],
      lines.map(([label, line]) => `${label}: ${line}.`),
    );
    const rules = Object.fromEntries(lines);
    return { content: { projectKey, isDefault, stages, start, end, rules }, text: fitted };
  },
});
