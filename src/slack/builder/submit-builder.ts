import { millisecondsInDay } from 'date-fns/constants';
import { isReportQuestion } from '../../api/answers/report/report-kind.ts';
import { MAX_COUNT } from '../../api/parameters/forecast.ts';
import { queryOf, queryWithin, rollingSelectionOf } from '../../api/parameters/rolling-range.ts';
import { requestSelection } from '../../api/parameters/saved-report.ts';
import { asLiteral, splitQuery } from '../../api/reporting/query-text.ts';
import { AppError, badRequest, sentencesOf } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { straightLiterals } from '../../model/issues/straight-literals.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { MovingRange, Question, ReportQuestion } from '../../model/question.ts';
import type { Selection, Statistic } from '../../model/request.ts';
import { countWords } from '../../output/figure-words.ts';
import { questionViews } from '../answers/index.ts';
import { reportQuestion, USUAL_REPORT } from '../answers/report/read-report.ts';
import { savedLine, setNameProblem } from '../answers/report/read-saved.ts';
import type { ModalAnswer, Place, SlackModal, Submission } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { BuilderParts } from '../app/parts.ts';
import { type NotifyOutcome, notifyPerson, sendDirectMessage } from '../app/post-message.ts';
import { readStatistic } from '../ask/grammar/parse-options.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { type Filter, filterOrDefault, type JoinedFilter, joinFilters } from '../ask/grammar/read-filter.ts';
import { readRange } from '../ask/grammar/read-range.ts';
import { formats, oneOf, readIssueKeys, wordsOf } from '../ask/grammar/typed-words.ts';
import { parserContextOf } from '../ask/parser-context-of.ts';
import { showAnswer } from '../ask/read-question.ts';
import type { Message } from '../blocks/message.ts';
import { context as smallPrint } from '../blocks/mrkdwn.ts';
import { directPlace, exportQuestion, placeText } from '../exports/request-export.ts';
import { knownPrincipal } from '../people/accounts.ts';
import {
  type BuilderField,
  type BuilderForm,
  type BuilderProblems,
  builderFacts,
  isReport,
} from './builder-form.ts';
import { builderView, reportBuilderForm } from './builder-view.ts';

/** The report builder, submitted: the answer comes where it was opened; or the form again with what was wrong. */
export const reportBuilder: SlackModal<BuilderParts> = reportBuilderForm.modal({
  meanwhile: 'Running the report…',
  wrongAtOnce: wrongInBuilder,
  placeOf: ({ place }) => place,
  answer: answerBuilder,
});

/** The mistakes that can be seen at first sight. */
function wrongInBuilder(form: BuilderForm, now: Instant): BuilderProblems {
  if (form.report === 'forecast') return wrongTarget(form, now);
  if (!isReport(form)) return {};
  const name = setNameProblem(form.saveAs);
  return { ...(name !== null && { 'save-as': name }), ...(form.range === 'dates' && wrongDays(form, now)) };
}

function wrongTarget({ count, until }: BuilderForm, now: Instant): BuilderProblems {
  const isCount =
    count === '' || (/^\d{1,6}$/.test(count) && Number(count) >= 1 && Number(count) <= MAX_COUNT);
  if (!isCount) return { count: `Type a whole number from 1 to ${countWords(MAX_COUNT)}, such as 20.` };
  if (count !== '' && until !== '') return { until: 'Choose a number of issues or a day, not both.' };
  // In a zone west of ours the day may not be over.
  if (until !== '' && Date.parse(until) < now - 2 * millisecondsInDay)
    return { until: 'This day is in the past.' };
  return {};
}

function wrongDays({ from, to }: BuilderForm, now: Instant): BuilderProblems {
  if (from === '') return { from: 'Choose the first day. Without a last day, the report ends today.' };
  // In a zone east of ours the day may have begun.
  if (Date.parse(from) > now + millisecondsInDay) return { from: 'This day is in the future.' };
  return to !== '' && to < from ? { to: 'The last day is before the first day.' } : {};
}

class WrongField extends Error {
  readonly wrong: BuilderProblems;

  constructor(field: BuilderField, { message, details }: AppError) {
    super(message);
    this.wrong = { [field]: (field === 'target' ? [message, ...details] : details).join(' ') || message };
  }
}

/** Answers the submitted builder: shown, saved and exported as it says; or the form again with what was wrong. */
async function answerBuilder(
  form: BuilderForm,
  submission: Submission,
  parts: BuilderParts,
): Promise<ModalAnswer> {
  const account = submission.principal.account;
  const context = await parserContextOf(account, form.place, parts);
  const facts = await builderFacts(form, account, context, parts);
  const again = (wrong: BuilderProblems, left = form): ModalAnswer => ({
    ...notice('Please correct the marked fields.'),
    again: builderView(left, facts, wrong),
  });
  const built = await questionOfForm(form, facts.takesStatistic, context);
  if ('wrong' in built) return again(built.wrong);
  const { question, remark } = built;
  const saving = () => save(question, form, account, context, parts);
  const [file, where] = form.target.split(' ');
  const format = oneOf(formats, file);
  let left = form;
  try {
    if (format !== undefined) {
      const saved = await saving();
      // The form that comes back has no name to save as: the report is saved once only.
      if (saved.length > 0) left = { ...form, saveAs: '', filled: form.filled + 1 };
      const place = where === 'post' ? form.place : directPlace(submission);
      const { message } = await atField('target', () =>
        exportQuestion({ question, asOf: null, format, unit: 'hours' }, submission, place, parts),
      );
      return { ...message, blocks: [...message.blocks, ...saved.map((line) => smallPrint(line))] };
    }
    const messages = await atField('builder-projects', () =>
      showAnswer(question, account, form.place, parts),
    );
    const saved = await saving();
    const shown = await show(messages, account, form.place, parts);
    return notice(shown, ...(remark === null ? [] : [remark]), ...saved);
  } catch (error) {
    if (!(error instanceof WrongField)) throw error;
    return left === form
      ? again(error.wrong)
      : again({ ...error.wrong, 'save-as': `Already saved as '${form.saveAs}'.` }, left);
  }
}

/** Shows an answer where it was asked for, for its person alone, and says where that is (mrkdwn). */
async function show(
  messages: readonly Message[],
  account: string,
  place: Place,
  parts: BuilderParts,
): Promise<string> {
  const where = placeText(place.channel);
  let worst: NotifyOutcome = 'here';
  for (const message of messages) {
    const sent = isDirect(place.channel)
      ? outcomeOf[await sendDirectMessage(account, message, parts)]
      : await notifyPerson(account, place, message, parts);
    if (outcomes.indexOf(sent) > outcomes.indexOf(worst)) worst = sent;
  }
  switch (worst) {
    case 'here':
      return `The answer is in ${where}, only visible to you.`;
    case 'directly':
      return `Slack doesn't let me answer you alone in ${where}, so the answer is in our direct messages.`;
    case 'unknown':
      return `Slack didn't confirm the answer in ${where}. Please look there; if it's missing, run the report again.`;
    case 'nowhere':
      return `Slack didn't let me post the answer in ${isDirect(place.channel) ? '' : `${where} or in `}our direct messages. Please try again later.`;
  }
}

const outcomes: readonly NotifyOutcome[] = ['here', 'directly', 'unknown', 'nowhere'];
const outcomeOf = { posted: 'here', unknown: 'unknown', refused: 'nowhere' } as const;

/** Names the field where what is done fails because of it. */
async function atField<Result>(field: BuilderField, work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    const isOfForm =
      error instanceof AppError && ['bad-request', 'not-found', 'not-allowed'].includes(error.code);
    throw isOfForm ? new WrongField(field, error) : error;
  });
}

/** Saves the report where a name was given, and says so (mrkdwn). */
async function save(
  question: Question,
  form: BuilderForm,
  account: string,
  context: ParserContext,
  parts: BuilderParts,
): Promise<readonly string[]> {
  if (form.saveAs === '' || !isReportQuestion(question) || !isReport(form)) return [];
  const owner = await knownPrincipal(account, parts);
  if (owner === null) return ["I didn't save it. Link your Jira user first: `/tis link`."];
  const report = savedReportOf(question, form);
  const selection = requestSelection(report);
  const { name } = await atField('save-as', async () => {
    // A query that is saved is another than the one that ran where a time that moves became part of it.
    if (selection?.by === 'jql') {
      const saved: ReportQuestion = {
        ...question,
        request: { ...question.request, selection },
        range: null,
      };
      await context.check(saved);
    }
    return parts.settings.createParameterSet(owner, {
      name: form.saveAs.replaceAll(/\s+/g, ' '),
      public: form.isPublic,
      ownerId: null,
      report,
    });
  });
  return [`Saved. ${savedLine(name)} runs it again.`];
}

/** A report as it is saved: days as they were chosen (`to` empty: open), a time that moves as one that does. */
export function savedReportOf(
  { request, range }: Pick<ReportQuestion, 'request' | 'range'>,
  days: { readonly from: string; readonly to: string },
): SavedReport {
  const { reportType, calendar, groupBy, statistic } = request;
  return {
    reportType,
    ...issuesOf({ request, range }, days),
    calendar,
    includeDeletedStatuses: true,
    ...(groupBy.length === 0 ? {} : { groupBy }),
    ...(statistic && {
      statistic: {
        type: statistic.type,
        ...(statistic.type === 'percentile' && { percentile: statistic.percentile }),
      },
    }),
  };
}

function issuesOf(
  { request, range }: Pick<ReportQuestion, 'request' | 'range'>,
  { from, to }: { readonly from: string; readonly to: string },
): Pick<SavedReport, 'selection' | 'range'> {
  // A title is of the question that was asked.
  const { title: _title, ...selection } = { title: undefined, ...request.selection };
  if (range === null) return { selection };
  const { field, when } = range;
  if (when.by === 'dates') return { selection, range: { field, from, ...(to !== '' && { to }) } };
  const { filter, order } = splitQuery(queryOf(selection));
  // The time is part of the query where it has to be before its order.
  const jql = `${queryWithin(filter, { field, when })} ${order}`.trimEnd();
  return rollingSelectionOf(jql) ?? { selection: { by: 'jql', jql } };
}

/** Reads the form with the words of `/tis`. `takesStatistic` false: the report is always a list. */
async function questionOfForm(
  form: BuilderForm,
  takesStatistic: boolean,
  context: ParserContext,
): Promise<
  { readonly question: Question; readonly remark: string | null } | { readonly wrong: BuilderProblems }
> {
  const wrong: Partial<Record<BuilderField, string>> = {};
  const collect = <Value>(field: BuilderField, read: () => Promise<Value>): Promise<Value | null> =>
    read().catch((error: unknown) => {
      wrong[field] = sentencesOf(refusalOf(error)).join(' ');
      return null;
    });
  const lines = issueLines(form);
  const filters: JoinedFilter[] = [];
  // Each filter is checked on its own: positions in the joined query would count words that were not typed.
  for (const [field, line] of lines) {
    const one = await collect(field, async () => {
      const filter = await filterOrDefault(wordsOf(line), context);
      const [, typed] = /^jql\s+(.+)$/s.exec(line) ?? [];
      const selection: Selection =
        typed === undefined ? filter.selection : { by: 'jql', jql: straightLiterals(typed) };
      if (lines.length > 1) await context.check(reportQuestion(selection, {}, null, context));
      return filter;
    });
    if (one !== null) filters.push(one);
  }
  const range = isReport(form)
    ? await collect(form.range === 'dates' ? 'from' : 'builder-range', async () => rangeOf(form, context))
    : null;
  const statistic = takesStatistic ? await collect('statistic', async () => statisticOf(form)) : null;
  if (Object.keys(wrong).length > 0) return { wrong };
  const first = lines[0]?.[0] ?? 'builder-projects';
  const filter = await collect(first, async () => joinFilters(filters) ?? filterOrDefault([], context));
  if (filter === null) return { wrong };
  const { remark, ...issues } = filter;
  const question = questionOf(form, { issues, range, statistic }, context);
  const refused = await context.check(question).then(() => null, refusalOf);
  if (refused === null) return { question, remark };
  const field = fieldsOfForm.get(Object.keys(refused.fields)[0]) ?? first;
  return { wrong: { [field]: sentencesOf(refused).join(' ') } };
}

/** The lines of the fields that choose the issues, each as it would be typed after `/tis`. */
function issueLines({ report, projects, sprint, savedFilter, people, jql }: BuilderForm) {
  const isSprint = report === 'sprint';
  const lines: readonly (readonly [field: BuilderField, line: string])[] = [
    ['builder-projects', isSprint && sprint !== '' ? '' : ofSome('project', projects)],
    ['builder-sprint', sprint && `sprint ${sprint}`],
    ['builder-filter', isSprint ? '' : savedFilter && `filter ${savedFilter}`],
    ['builder-people', isSprint ? '' : ofSome('assignee', people)],
    ['jql', isSprint ? '' : jql && queryLine(jql)],
  ];
  return lines.filter(([, line]) => line !== '');
}

/** Issues by one value of a field, or by several; empty for none. */
function ofSome(field: 'project' | 'assignee', [first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first && `${field} ${first}`;
  return `jql ${field} in (${[first, ...others].map(asLiteral).join(', ')})`;
}

/** Issue keys and what already says what it is stay; anything else is a query. */
function queryLine(typed: string): string {
  const { keys, others } = readIssueKeys(wordsOf(typed).map(({ plain }) => plain));
  return (keys.length > 0 && others.length === 0) || /^jql\s/i.test(typed) ? typed : `jql ${typed}`;
}

function questionOf(
  form: BuilderForm,
  read: { readonly issues: Filter; readonly range: MovingRange | null; readonly statistic: Statistic | null },
  context: ParserContext,
): Question {
  const { calendar, week, withBacklog, count, until, report: reportType, groupBy } = form;
  const { issues, range, statistic } = read;
  const { timeZone } = context.hours;
  const own = questionViews.find(({ of }) => of.kind === reportType)?.ofBuilder;
  if (own !== undefined) return own({ filter: issues, week, withBacklog, count, until, calendar, timeZone });
  const isUntouched = form.statistic === form.summaryWith;
  const isSummary = reportType === USUAL_REPORT && groupBy.length === 0 && isUntouched;
  const chosen = isUntouched ? {} : { statistic: statistic ?? ('list' as const) };
  const tails = {
    ...(range && { range: { ...range, words: form.range } }),
    calendar,
    ...(isSummary ? {} : { reportType, groupBy, timePeriod: form.timePeriod, ...chosen }),
  };
  return reportQuestion(issues.selection, tails, statistic, context);
}

function rangeOf({ range, dateField, from, to }: BuilderForm, context: ParserContext): MovingRange | null {
  if (range === 'any') return null;
  const days = to === '' ? `since ${from}` : `between ${from} and ${to}`;
  const words = range === 'dates' ? days : range;
  const read = readRange([dateField, ...words.split(' ')], context);
  if (read === null) throw badRequest(`I can't read the time "${words}". Choose one from the menu.`);
  return read;
}

function statisticOf({ statistic }: BuilderForm): Statistic | null {
  const read = readStatistic(statistic.split(' '));
  if (read === null) throw badRequest(`I can't read the statistic "${statistic}". Choose one from the menu.`);
  return read === 'list' ? null : read;
}

/** A refusal; whatever else went wrong is no fault of the form. */
function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
  return error;
}

/** The fields of the form by what the reporting port calls them; what else it refuses is about the issues. */
const fieldsOfForm: ReadonlyMap<string | undefined, BuilderField> = new Map([
  ['groupByFields', 'builder-group'],
  ['columnsBy', 'builder-report'],
  ['calendar', 'builder-calendar'],
  ['until', 'until'],
]);
