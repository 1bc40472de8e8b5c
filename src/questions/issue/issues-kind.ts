import { shorten } from '../../block-kit/mrkdwn.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import type { AudienceScope } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { durationWords } from '../../output/readable-text.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import { mergeScopes } from '../figures/read-table.ts';
import type { AnswerContext, QuestionKind, ViewContext } from '../kind.ts';
import type { QuestionReader } from '../parse/parser-context.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { readIssueKeys } from '../parse/typed-words.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { footText } from '../view/answer-warnings.ts';
import { countOf, paceMark, timesUsual } from '../view/figure-words.ts';
import { type FigureCell, type FigureColumn, figureTable } from '../view/figures-drawn.ts';
import { dayMsOf, plain, say } from '../view/wording.ts';
import { figureId, readFigureId, unknownFigure } from '../why/explanation.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { answerIssue, issueQuestion } from './issue-kind.ts';
import type { IssueAnswer } from './issue-summary.ts';
import { paceOf } from './issue-view.ts';

/** So many issues are shown side by side; more are a list. */
export const SIDE_BY_SIDE = 10;

/** Several issues side by side. */
interface IssuesQuestion extends MeasuredQuestion {
  readonly kind: 'issues';
  readonly keys: readonly string[];
}

/** The issues that the principal can see, in the order asked for, and the keys of the others. */
interface IssuesAnswer {
  readonly issues: readonly IssueAnswer[];
  readonly missing: readonly string[];
  readonly provenance: Provenance;
}

/** `/tis WEB-350 APP-12 [in CALENDAR] [in hours]`. */
export const issuesKind: QuestionKind<IssuesQuestion, IssuesAnswer> = {
  kind: 'issues',
  commands: [],
  selections: ({ keys }) => [{ by: 'keys', keys }],
  ranges: () => [],
  async answer({ keys, ...hours }, context) {
    const issues: IssueAnswer[] = [];
    const missing: string[] = [];
    for (const key of keys) {
      const found = await visible(issueQuestion(key, hours), context);
      if (found === null) missing.push(key);
      else if (!issues.some((one) => one.key === found.key)) issues.push(found);
    }
    const [first] = issues;
    if (first === undefined) {
      throw new AppError('unknown-issue', 'No such issue.', [], { data: { field: 'issueKey', keys } });
    }
    const scope = issues
      .map(({ provenance }) => provenance.contents ?? null)
      .reduce((sum: AudienceScope | null, one) => mergeScopes(sum, one));
    const cutHistories = issues.filter(({ history }) => !history.complete).length;
    const provenance = {
      ...first.provenance,
      ...{ issues: issues.length, cutHistories },
      complete: issues.every((one) => one.provenance.complete),
    };
    return { value: { issues, missing, provenance }, contents: scope };
  },
  isEmpty: () => false,
  withProvenance: (value, change) => ({
    ...value,
    issues: value.issues.map((one) => ({ ...one, provenance: change(one.provenance) })),
    provenance: change(value.provenance),
  }),
  title: ({ keys }) => `the time of ${keys.join(', ')}`,
  view: issuesView,
  figures: ({ issues }) =>
    issues.flatMap((issue) =>
      issueFigures(issue)
        .slice(0, 2)
        .map(({ id, title }) => ({ id: figureId('of', issue.key, id), title: `${issue.key}: ${title}` })),
    ),
  explain({ kind, words: [key = '', ...id] }, { calendar }, { principal, asOf, parts }) {
    if (kind !== 'of') throw unknownFigure();
    return explainIssue(readFigureId(id.join(':')), { key, calendar }, principal, asOf, parts.reporting);
  },
  fileFacts: ({ keys }) => ({ selection: { by: 'keys', keys }, reportType: 'statusDuration' }),
  file: async ({ keys, calendar }, context) => statusTimesOf(keys, { calendar }, context),
};

/** Null where the principal can see no such issue. */
async function visible(
  question: ReturnType<typeof issueQuestion>,
  context: AnswerContext,
): Promise<IssueAnswer | null> {
  try {
    return await answerIssue(question, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

/** Reads two keys or more, and `[in CALENDAR] [in hours]`; null where other words are among them. */
export const readIssues: QuestionReader = async (words, context) => {
  const { rest, tails } = await takeTails(words, ['calendar', 'unit'], context);
  const { keys, others } = readIssueKeys(rest.map(({ plain: word }) => word));
  if (keys.length < 2 || others.length > 0) return null;
  if (keys.length > SIDE_BY_SIDE) {
    throw badRequest(
      `${keys.length} issues are more than I can show side by side. Try: up to ${SIDE_BY_SIDE}.`,
    );
  }
  const { calendar, timeZone } = context.hours;
  const question: IssuesQuestion = {
    ...{ kind: 'issues', keys, calendar: tails.calendar ?? calendar, timeZone },
    ...unitOf(tails),
  };
  return { question, remark: null };
};

const SUMMARY_LENGTH = 60;

const columns: readonly FigureColumn[] = [
  { title: 'Issue', holds: 'text' },
  { title: 'Status', holds: 'name' },
  { title: 'For', holds: 'figure' },
  { title: '× usual', holds: 'figure' },
  { title: 'Took', holds: 'figure' },
];

/** One table, a row an issue, and the way to each. */
function issuesView({ issues, missing, provenance }: IssuesAnswer, { place }: ViewContext): Sheet {
  const done = issues.filter(({ finish }) => finish !== null).length;
  const all = issues.length === 1 ? '' : 'all ';
  const lines = issues.map((issue) => ({ title: issue.key, line: `/tis ${issue.key}` }));
  return {
    headline: say(
      ({ strong }) =>
        `${strong(countOf(issues.length, 'issue'))}${done === 0 ? '' : `, ${done === issues.length ? all : `${done} `}finished`}`,
    ),
    warnings: [
      ...(missing.length === 0
        ? []
        : [say(({ words }) => `I can't find ${words(missing.join(', '))}, or you don't have access.`)]),
    ],
    fields: [],
    chart: null,
    table: figureTable(columns, issues.map(rowOf)),
    remarks: [],
    page: null,
    foot: say((wording) => footText(provenance, wording)),
    details: [],
    hasFile: true,
    isPersonal: false,
    ...(place === 'private' ? { openers: lines } : {}),
  };
}

function rowOf(issue: IssueAnswer): FigureCell[] {
  const { key, link, summary, current, finish, begun, tookMs, usual, provenance } = issue;
  const dayMs = dayMsOf(provenance.calendar);
  const isDone = current?.category === 'Done';
  const pace = paceOf(
    isDone ? (finish === null || begun === null ? null : tookMs) : (current?.forMs ?? null),
    usual,
  );
  const mark = isDone ? '' : paceMark(pace);
  const forMs = isDone ? null : (current?.forMs ?? null);
  return [
    { text: `${key} ${shorten(plain.words(summary), SUMMARY_LENGTH)}`.trim(), link },
    { text: current?.title ?? 'unknown' },
    { text: forMs === null ? '–' : durationWords(forMs, dayMs) },
    { text: pace === null ? '–' : `${mark === '' ? '' : `${mark} `}${timesUsual(pace)}` },
    { text: finish === null || begun === null ? '–' : durationWords(tookMs, dayMs) },
  ];
}
