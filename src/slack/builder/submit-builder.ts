import { isReportQuestion } from '../../api/answers/report/report-kind.ts';
import { queryOf, queryWithin, rollingSelectionOf } from '../../api/parameters/rolling-range.ts';
import { requestSelection } from '../../api/parameters/saved-report.ts';
import { splitQuery } from '../../api/reporting/query-text.ts';
import { AppError } from '../../model/error.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { Question, ReportQuestion } from '../../model/question.ts';
import { savedLine } from '../answers/report/read-saved.ts';
import type { ModalAnswer, Place, SlackModal, Submission } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { BuilderParts } from '../app/parts.ts';
import { type NotifyOutcome, notifyPerson, sendDirectMessage } from '../app/post-message.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { formats, oneOf } from '../ask/grammar/typed-words.ts';
import { parserContextOf } from '../ask/parser-context-of.ts';
import { showAnswer } from '../ask/read-question.ts';
import type { Message } from '../blocks/message.ts';
import { context as smallPrint } from '../blocks/mrkdwn.ts';
import { directPlace, exportQuestion, placeText } from '../exports/request-export.ts';
import { knownPrincipal } from '../people/accounts.ts';
import {
  type BuilderField,
  type BuilderForm,
  builderFacts,
  isReport,
  type Wrong,
  wrongInBuilder,
} from './builder-form.ts';
import { builderView, reportBuilderForm } from './builder-view.ts';
import { questionOfForm } from './question-of-form.ts';

/** The report builder, submitted: the answer comes where it was opened; or the form again with what was wrong. */
export const reportBuilder: SlackModal<BuilderParts> = reportBuilderForm.modal({
  meanwhile: 'Running the report…',
  wrongAtOnce: wrongInBuilder,
  placeOf: ({ place }) => place,
  answer: answerBuilder,
});

class WrongField extends Error {
  readonly wrong: Wrong;

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
  const again = (wrong: Wrong, left = form): ModalAnswer => ({
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
