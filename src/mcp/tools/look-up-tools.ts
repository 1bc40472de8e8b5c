import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { readSpan, spanParameters } from '../../api/delegations/coverage-span.ts';
import { knownLogins } from '../../api/people/logins.ts';
import { type CategoryId, GENERAL, type TimeSpan } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { instant, text } from '../../parameters/parameter.ts';
import { calendarOf } from '../../time/calendar.ts';
import { isoText } from '../../time/date-text.ts';
import { zonedText } from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { listPart } from '../inputs.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const person = z.object({ user: z.string(), name: z.string() });

/** What people are called, by login. */
async function namesOf({ people }: Pick<ToolContext, 'people'>) {
  const users = await people.users();
  const { idNamed, nameOf } = knownLogins(users);
  const personOf = (login: string): z.output<typeof person> => ({
    user: login,
    name: users.get(idNamed(login))?.name ?? login,
  });
  return { personOf, nameOf };
}

const personText = ({ user, name }: z.output<typeof person>) => (name === user ? user : `${name} (${user})`);
const peopleText = (people: readonly z.output<typeof person>[]) => people.map(personText).join(', ');

const whoCovers = defineTool({
  name: 'who_covers',
  title: 'Who covers for a person',
  description:
    'Who covers for a person in a category of work at a time (now by default), and the people that person covers for.',
  takesLong: false,
  parameters: z.object({
    user: text.optional().meta({ description: 'User name (login or id) of the person; without it you.' }),
    category: text.default(GENERAL).meta({
      description: 'general, or the name of a category; a named one is covered by general as well.',
    }),
    at: instant.optional().meta({ description: 'The time to look at, in ISO 8601 with an offset.' }),
  }),
  output: z.object({
    person,
    category: z.string(),
    at: z.iso.datetime(),
    timeZone: z.string(),
    coveredBy: z.array(person).meta({ description: 'In the order in which they are to be asked.' }),
    covers: z.array(person).meta({ description: 'The people this person covers for.' }),
  }),
  async answer({ user, category, at }, context) {
    const { delegations, principal, timeZone, now } = context;
    const { personOf, nameOf } = await namesOf(context);
    const question = { principal, person: user ?? nameOf(principal.account), category, asOf: at ?? now() };
    const delegates = await delegations.delegatesOf(question);
    const delegators = await delegations.delegatorsOf(question);
    const content = {
      person: personOf(delegates.person),
      category: delegates.category,
      at: isoText(delegates.asOf),
      timeZone,
      coveredBy: delegates.others.map(personOf),
      covers: delegators.others.map(personOf),
    };
    const who = personText(content.person);
    const { text: said } = answerText(
      [
        content.coveredBy.length === 0
          ? `No one covers for ${who}.`
          : `${peopleText(content.coveredBy)} covers for ${who}, in this order.`,
        content.covers.length === 0
          ? `${who} covers for no one.`
          : `${who} covers for ${peopleText(content.covers)}.`,
      ],
      [],
      [`Category: ${content.category}. At: ${zonedText(delegates.asOf, { timeZone })} (${timeZone}).`],
    );
    return { content, text: said };
  },
});

const span = { from: z.iso.datetime(), until: z.iso.datetime() };
const delegation = z.object({
  ...{ id: z.int(), person, delegates: z.array(person), categories: z.array(z.string()), ...span },
});
const MOST_ENTRIES = 200;

const coverage = defineTool({
  name: 'coverage',
  title: 'Cover in a span of time',
  description:
    'Who covers for each person in a span of time (this week by default), where cover is missing and why, and where a delegate is away too. Without the right to view all, only what concerns you.',
  takesLong: false,
  parameters: z.object(spanParameters),
  output: z.object({
    timeZone: z.string(),
    ...span,
    delegations: z.array(delegation),
    uncovered: z.array(z.object({ person, category: z.string(), reason: z.string(), ...span })),
    awayToo: z.array(
      z.object({
        ...{ person, delegate: person, category: z.string(), ...span },
        covers: z
          .array(person)
          .nullable()
          .meta({ description: 'Who covers then; null: not visible to you.' }),
      }),
    ),
    ending: z
      .array(z.int())
      .meta({ description: 'Ids of delegations that end in the span, none following.' }),
    notes: z.array(z.string()),
  }),
  async answer(asked, context) {
    const { delegations, principal, timeZone, now } = context;
    const found = await delegations.coverage(principal, readSpan(asked, now(), timeZone));
    const named = new Map<CategoryId, string>(
      (await delegations.categories(principal)).map(({ id, name }) => [id, name]),
    );
    const category = (id: CategoryId) => named.get(id) ?? (id === null ? GENERAL : String(id));
    const { personOf } = await namesOf(context);
    const spanOf = ({ from, until }: TimeSpan) => ({ from: isoText(from), until: isoText(until) });
    const some = <Thing>(things: readonly Thing[]) => things.slice(0, MOST_ENTRIES);
    const more = [found.delegations, found.uncovered, found.awayToo].some((all) => all.length > MOST_ENTRIES);
    const content = {
      timeZone,
      ...spanOf(found.span),
      delegations: some(found.delegations).map((one) => ({
        ...{ id: one.id, person: personOf(one.delegator), delegates: one.delegates.map(personOf) },
        categories: one.categoryIds.length === 0 ? [GENERAL] : one.categoryIds.map(category),
        ...{ from: isoText(one.start), until: isoText(one.end) },
      })),
      uncovered: some(found.uncovered).map((one) => ({
        ...{ person: personOf(one.person), category: category(one.categoryId), reason: one.reason },
        ...spanOf(one),
      })),
      awayToo: some(found.awayToo).map((one) => ({
        ...{ person: personOf(one.person), delegate: personOf(one.delegate), ...spanOf(one) },
        category: category(one.categoryId),
        covers: one.standIns?.map(personOf) ?? null,
      })),
      ending: some(found.ending).map(({ id }) => id),
      notes: more ? [`Only the first ${MOST_ENTRIES} of each list are here. Try: a shorter span.`] : [],
    };
    const at = (time: string | Instant) =>
      zonedText(typeof time === 'string' ? Date.parse(time) : time, { timeZone });
    const within = (one: { readonly from: string; readonly until: string }) => [at(one.from), at(one.until)];
    const { text: said } = answerText(
      [
        `Cover from ${at(found.span.from)} to ${at(found.span.until)} (${timeZone}): ${found.delegations.length} delegations, ${found.uncovered.length} stretches without cover.`,
        ...content.notes,
      ],
      [
        {
          title: 'Delegations',
          columns: ['Person', 'Covered by', 'Categories', 'From', 'Until'],
          rows: content.delegations.map((one) => [
            ...[personText(one.person), peopleText(one.delegates), one.categories.join(', '), ...within(one)],
          ]),
        },
        {
          title: 'No one covers',
          columns: ['Person', 'Category', 'From', 'Until', 'Why'],
          rows: content.uncovered.map((one) => [
            ...[personText(one.person), one.category, ...within(one), reasons[one.reason]],
          ]),
        },
        {
          title: 'The delegate is away too',
          columns: ['Person', 'Delegate', 'Category', 'From', 'Until', 'Who covers instead'],
          rows: content.awayToo.map((one) => [
            ...[personText(one.person), personText(one.delegate), one.category, ...within(one)],
            one.covers === null ? 'not visible to you' : peopleText(one.covers) || 'no one',
          ]),
        },
      ],
      ['Until is not included.'],
    );
    return { content, text: said };
  },
});

const reasons = {
  loop: 'all delegates are away in a circle',
  gap: 'one delegation ended and the next had not begun',
  unknown: 'the delegate is not a user the tracker knows',
};

const listed = { total: z.int(), nextStartIndex: z.int().nullable() };

/** A part of a list, and what to read above it. */
function partOf<Thing>(
  things: readonly Thing[],
  { startIndex, pageSize }: { readonly startIndex: number; readonly pageSize: number },
) {
  const found = things.slice(startIndex, startIndex + pageSize);
  const end = startIndex + found.length;
  const next = found.length > 0 && end < things.length ? end : null;
  const shown = found.length === 0 ? 'none' : `${startIndex + 1} to ${end}`;
  const more = next === null ? '' : ` More: call again with startIndex ${next}.`;
  return {
    found,
    list: { total: things.length, nextStartIndex: next },
    shown: `${shown} of ${things.length}.${more}`,
  };
}

const called = (name: string | undefined) => {
  const wanted = (name ?? '').toLowerCase();
  return (one: { readonly name: string }) => one.name.toLowerCase().includes(wanted);
};

const name = text.optional().meta({ description: 'Only those whose name has this in it, in any case.' });

const listStatuses = defineTool({
  name: 'list_statuses',
  title: 'Workflow statuses',
  description: 'Workflow statuses with their ids, for the parameters of reports, in workflow order.',
  takesLong: false,
  parameters: z.object({ name, ...listPart }),
  output: z.object({
    statuses: z.array(
      z.object({
        ...{ id: z.string(), name: z.string(), category: z.string(), deleted: z.boolean() },
        project: z.string().nullable().meta({ description: 'Of a team-managed status: its project.' }),
      }),
    ),
    ...listed,
  }),
  async answer(asked, { reporting, principal }) {
    const { found, list, shown } = partOf(
      (await reporting.statuses(principal)).filter(called(asked.name)),
      asked,
    );
    const statuses = found.map(({ id, name, category, deleted, scope = null }) => ({
      ...{ id, name, category, deleted, project: scope },
    }));
    const rows = statuses.map((one) => [
      ...[one.id, one.name, one.category, one.project, one.deleted ? 'deleted' : 'in use'],
    ]);
    const columns = ['Id', 'Status', 'Category', 'Project', 'State'];
    const { text: said } = answerText([`Statuses ${shown}`], [{ columns, rows }], []);
    return { content: { statuses, ...list }, text: said };
  },
});

const listCalendars = defineTool({
  name: 'list_calendars',
  title: 'Working calendars',
  description:
    'Working calendars, for the parameter calendar of reports: id, name, time zone, working times and holidays. Search by a part of the name.',
  takesLong: false,
  parameters: z.object({ name, ...listPart }),
  output: z.object({
    calendars: z.array(
      z.object({
        id: z.int().nullable().meta({ description: 'Null: the built-in 24/7 calendar, normalHours.' }),
        name: z.string(),
        timeZone: z.string(),
        is7x24Calendar: z.boolean(),
        hoursPerWorkingDay: z.number(),
        equalDays: z.boolean().meta({ description: 'False: dayLength businessDays cannot be used.' }),
        workingTimes: z.array(z.object({ weekday: z.string(), start: z.int(), end: z.int() })).meta({
          description: 'start and end are milliseconds after local midnight.',
        }),
        holidays: z.array(z.object({ name: z.string(), date: z.string(), recurring: z.boolean() })),
      }),
    ),
    ...listed,
  }),
  async answer(asked, { settings, principal }) {
    const { found, list, shown } = partOf(
      (await settings.calendars(principal)).filter(called(asked.name)),
      asked,
    );
    const calendars = found.map((one) => {
      const { continuous, equalDays, dailyMs } = calendarOf(one);
      return {
        ...{ id: one.id, name: one.name, timeZone: one.timeZone, is7x24Calendar: continuous, equalDays },
        hoursPerWorkingDay: dailyMs / millisecondsInHour,
        workingTimes: one.workingTimes.map(({ weekday, start, end }) => ({ weekday, start, end })),
        holidays: one.holidays.map((day) => ({ ...day })),
      };
    });
    const { text: said } = answerText(
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
    return { content: { calendars, ...list }, text: said };
  },
});

const listReportTypes = defineTool({
  name: 'list_report_types',
  title: 'Report types',
  description: 'The values of columnsBy: what the value columns of a report are.',
  takesLong: false,
  parameters: z.object({}),
  output: z.object({
    reportTypes: z.array(
      z.object({
        ...{ id: z.string(), title: z.string() },
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
    const { text: said } = answerText([`${reportTypes.length} report types.`], [{ columns, rows }], []);
    return { content: { reportTypes }, text: said };
  },
});

/** The tools that look something up: cover, and what reports can be asked with. */
export const lookUpTools = [whoCovers, coverage, listStatuses, listCalendars, listReportTypes];
