import { splitQuery } from '../../api/reporting/query-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { SavedReport, WrittenSpan } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/principal.ts';
import type { MovingRange, Question, ReportQuestion } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { queryOf, queryWithin, rollingSelectionOf } from '../../parameters/rolling-range.ts';
import { requestSelection } from '../../parameters/saved-report.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import type { Format } from '../../questions/parse/typed-words.ts';
import { isReportQuestion } from '../../questions/report/report-kind.ts';
import type { ModalAnswer, Place, SlackModal, Submission } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { BuilderParts, SlackParts } from '../app/parts.ts';
import { parserContextOf } from '../ask/read-question.ts';
import { savedLine } from '../ask/saved-sets.ts';
import { showAnswer } from '../ask/show-answer.ts';
import { requestExport } from '../exports/request-export.ts';
import { knownPrincipal } from '../people/principals.ts';
import {
  type BuilderForm,
  builderFacts,
  type Field,
  isReport,
  readBuilder,
  type Wrong,
  wrongInBuilder,
} from './builder-form.ts';
import { builderView } from './builder-view.ts';
import { questionOfForm } from './question-of-form.ts';
import { placeText, showHere, whereItIs } from './show-here.ts';

/** The report builder, submitted: the answer comes where it was opened; it comes back with what was wrong. */
export const reportBuilder: SlackModal<BuilderParts> = {
  id: 'report-builder',
  title: 'Report builder',
  meanwhile: 'Asking…',
  wrongAtOnce(submission, now) {
    const form = readBuilder(submission);
    return Object.fromEntries(
      Object.entries(wrongInBuilder(form, now)).map(([field, sentence]) => [
        `${field}.${form.filled}`,
        sentence,
      ]),
    );
  },
  placeOf: (submission) => readBuilder(submission).place,
  answer: (submission, parts) => answerBuilder(readBuilder(submission), submission, parts),
};

/** Something of the form that only turned out to be wrong when it was done. */
class WrongField extends Error {
  readonly wrong: Wrong;

  constructor(field: Field, { message, details }: AppError) {
    super(message);
    this.wrong = { [field]: (field === 'target' ? [message, ...details] : details).join(' ') || message };
  }
}

/** Answers the submitted builder: told, saved and brought as it says; or the form again with what was wrong. */
async function answerBuilder(
  form: BuilderForm,
  submission: Submission,
  parts: BuilderParts,
): Promise<ModalAnswer> {
  const account = submission.principal.account;
  const asking = await parserContextOf(account, form.place, parts);
  const facts = await builderFacts(form, account, asking, parts);
  const again = (wrong: Wrong, left = form): ModalAnswer => ({
    ...notice('Something in the form has to change first.'),
    again: builderView(left, facts, wrong),
  });
  const built = await questionOfForm(form, facts.takesStatistic, asking);
  if ('wrong' in built) return again(built.wrong);
  let left = form;
  try {
    const { question, remark } = built;
    if (form.target !== 'here') {
      const saved = await save(question, form, { account, asking }, parts);
      // What is saved is not to be saved once more with the form that comes back.
      if (saved.length > 0) left = { ...form, saveAs: '', filled: form.filled + 1 };
      await bringFile(
        question,
        { ...form, target: form.target },
        { submission, principal: asking.principal },
        parts,
      );
      return notice(`The file is on its way to ${placeText(form.place.channel)}.`, ...saved);
    }
    const messages = await atField('filter', () => showAnswer(question, account, parts));
    const saved = await save(question, form, { account, asking }, parts);
    const here = await showHere(
      messages.map((one, i) => (i === 0 && remark !== null ? remarked(one, remark) : one)),
      { account, place: form.place },
      parts,
    );
    return whereItIs(here, form.place.channel, saved);
  } catch (error) {
    if (!(error instanceof WrongField)) throw error;
    return left === form
      ? again(error.wrong)
      : again({ ...error.wrong, 'save-as': `Saved as '${form.saveAs}' already.` }, left);
  }
}

/** Names the field where what is done fails because of it. */
async function atField<Result>(field: Field, work: () => Promise<Result>): Promise<Result> {
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
  { account, asking }: { readonly account: string; readonly asking: ParserContext },
  parts: Pick<SlackParts, 'accounts' | 'people' | 'settings'>,
): Promise<readonly string[]> {
  if (form.saveAs === '' || !isReportQuestion(question) || !isReport(form)) return [];
  const owner = await knownPrincipal(account, parts);
  if (owner === null) return ['It is not saved, for I do not know who you are in the tracker: `/tis link`.'];
  const report = savedReportOf(question, form);
  const { name } = await atField('save-as', async () => {
    await checkQuery(report, question, asking);
    return parts.settings.createParameterSet(owner, {
      name: form.saveAs.replaceAll(/\s+/g, ' '),
      public: form.isPublic,
      ownerId: null,
      report,
    });
  });
  return [`It is saved: ${savedLine(name)} tells it anew.`];
}

/** The form's report as it is saved: days as they were chosen, a time that moves as one that does. */
export function savedReportOf(
  { request, range }: Pick<ReportQuestion, 'request' | 'range'>,
  { from, to }: Pick<BuilderForm, 'from' | 'to'>,
): SavedReport {
  const { reportType, calendar, groupBy, statistic } = request;
  return {
    reportType,
    ...issuesOf(request.selection, range, { from, ...(to === '' ? {} : { to }) }),
    calendar,
    includeDeletedStatuses: true,
    ...(groupBy.length === 0 ? {} : { groupBy }),
    ...(statistic === null
      ? {}
      : {
          statistic: {
            type: statistic.type,
            ...(statistic.type === 'percentile' ? { percentile: statistic.percentile } : {}),
          },
        }),
  };
}

function issuesOf(
  chosen: Selection,
  range: MovingRange | null,
  days: WrittenSpan,
): Pick<SavedReport, 'selection' | 'range'> {
  // A title is of the question that was asked.
  const { title: _title, ...selection } = { title: undefined, ...chosen };
  if (range === null) return { selection };
  const { field, when } = range;
  if (when.by === 'dates') return { selection, range: { field, ...days } };
  const { filter, order } = splitQuery(queryOf(selection));
  // The time is part of the query where it has to be before its order.
  const jql = `${queryWithin(filter, { field, when })} ${order}`.trimEnd();
  return rollingSelectionOf(jql) ?? { selection: { by: 'jql', jql } };
}

/** The query that is saved is not the one that was asked where a time that moves became part of it. */
async function checkQuery(
  report: SavedReport,
  question: ReportQuestion,
  asking: Pick<ParserContext, 'check'>,
): Promise<void> {
  const selection = requestSelection(report);
  if (selection?.by !== 'jql') return;
  const checked: ReportQuestion = {
    ...question,
    request: { ...question.request, selection },
    range: null,
  };
  await asking.check(checked);
}

async function bringFile(
  question: Question,
  { target, place }: { readonly target: Format; readonly place: Place },
  { submission, principal }: { readonly submission: Submission; readonly principal: Principal },
  parts: BuilderParts,
): Promise<void> {
  const request = await parts.answers.requestOf(principal, question, null);
  if (request === null)
    throw new AppError('nothing-to-export', 'There is no list behind this answer, so no file of it.');
  const list = { ...request, statistic: null, page: null };
  await atField('target', () =>
    requestExport({ format: target, unit: 'hours', request: list }, submission, place, parts),
  );
}

function remarked({ text, blocks }: Message, remark: string): Message {
  return { text: `${text}\n${remark}`, blocks: [...blocks, context(remark)] };
}
