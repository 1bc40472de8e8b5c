import { HISTORY, type IssueQuestion, issueQuestion } from '../../../api/answers/issue/issue-kind.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { unknownWord } from '../../ask/grammar/names-meant.ts';
import { parseOptions, unitOf } from '../../ask/grammar/parse-options.ts';
import type { ParserContext, QuestionReader } from '../../ask/grammar/parser-context.ts';
import { oneOf, plainText, readIssueKeys, unquoted } from '../../ask/grammar/typed-words.ts';
/**
 * Reads `KEY [by …] [in CALENDAR] [in hours]` and `KEY by history [to STATUS]`, the ends in any order; null where the words are no question about one issue.
 */
export const readIssue: QuestionReader = async (words, context) => {
  const [first, ...others] = words;
  const { keys, others: noKeys } = readIssueKeys(first === undefined ? [] : [first.plain]);
  const [key] = keys;
  if (key === undefined || keys.length > 1 || noKeys.length > 0) return null;
  const { rest, tails } = await parseOptions(others, ['calendar', 'unit', 'reportType', 'groupBy'], context);
  const { groupBy, timePeriod, byStage } = tails;
  const isAssignee = groupBy?.length === 1 && oneOf(['assignee'], groupBy[0]) !== undefined;
  const history = await readHistory(plainText(rest), context);
  if ((rest.length > 0 && history === null) || (groupBy !== undefined && !isAssignee)) return null;
  const reportType = isAssignee ? reportIds.assigneeDuration : tails.reportType;
  const by =
    history ??
    (reportType === undefined
      ? null
      : {
          reportType,
          ...(timePeriod === undefined ? {} : { timePeriod }),
          ...(byStage === true ? { byStage } : {}),
        });
  const question: IssueQuestion = {
    ...issueQuestion(key, { ...context.hours, calendar: tails.calendar ?? context.hours.calendar }),
    ...(by === null ? {} : { by }),
    ...unitOf(tails),
  };
  return { question, remark: null };
};

/** Reads `by history` and `by history to STATUS`; null for other text. */
async function readHistory(
  text: string,
  { statuses }: ParserContext,
): Promise<NonNullable<IssueQuestion['by']> | null> {
  const [history, typed = ''] = /^by history(?: to (.+))?$/i.exec(text) ?? [];
  if (history === undefined) return null;
  if (typed === '') return { reportType: HISTORY };
  const all = await statuses();
  const named = all.filter(({ name }) => name.toLowerCase() === unquoted(typed).toLowerCase());
  const [first] = named;
  if (first === undefined)
    throw unknownWord('status', unquoted(typed), [...new Set(all.map(({ name }) => name))]);
  return { reportType: HISTORY, to: { name: first.name, ids: named.map(({ id }) => id) } };
}
