import type { Message } from '../../block-kit/message.ts';
import { kindOf } from '../../questions/index.ts';
import { isWeeklyQuestion } from '../../questions/weekly/weekly-kind.ts';
import type { SlackAction } from '../action.ts';
import type { Place } from '../command.ts';
import { type ExportFormSubject, exportFormView } from '../exports/export-form-view.ts';
import { weeklyAddress } from '../exports/weekly-address.ts';
import { weeklyFileWords } from '../exports/weekly-file-words.ts';
import { issuesText } from '../messages/export-title.ts';
import { notice } from '../messages/notice.ts';
import { openLateView } from '../open-late-view.ts';
import { openView } from '../open-view.ts';
import type { ExportParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

const advice = 'Please press the button again.';

/** *Export* under an answer: the form for a file of the list behind it; its value is the run's id. */
export const exportAnswer: SlackAction<ExportParts> = {
  id: 'export-answer',
  async run({ value: run, principal, place, open }, parts) {
    const { question } = await parts.answers.run(run);
    const { reportTypes } = parts.reporting;
    const known = kindOf(question).fileFacts?.(question);
    if (known !== undefined) {
      const facts = { issues: issuesText(known.selection), reportType: known.reportType };
      return openView(
        () => open(exportFormView({ run, ...facts, weeklyAddress: null, ...place }, reportTypes)),
        advice,
      );
    }
    return openLateView(
      {
        title: 'Export',
        meanwhile: 'Looking for the list behind this answer…',
        advice,
        async make() {
          const made = await subjectOf(run, principal.account, place, parts);
          return 'blocks' in made ? made : exportFormView(made, reportTypes);
        },
      },
      open,
      parts,
    );
  },
};

async function subjectOf(
  run: string,
  account: string,
  place: Place,
  { answers, baseUrl, ...parts }: ExportParts,
): Promise<ExportFormSubject | Message> {
  const { question, asOf } = await answers.run(run);
  const request = await answers.requestOf(await resolvePrincipal(account, parts), question, asOf);
  if (request === null) return notice('There is no list behind this answer, so no file of it.');
  const { selection } = request;
  const address =
    isWeeklyQuestion(question) && baseUrl !== null ? weeklyAddress(question, asOf, baseUrl) : null;
  if (selection.by === 'keys' && selection.keys.length === 0) {
    const none = 'There are no issues behind this answer, so no file of them.';
    return notice(none, ...(address === null ? [] : [weeklyFileWords(address)]));
  }
  const reportType = kindOf(question).fileReportType ?? request.reportType;
  return { run, issues: issuesText(selection), reportType, weeklyAddress: address, ...place };
}
