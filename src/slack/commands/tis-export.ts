import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { offeredReports } from '../../questions/parse/read-grouping.ts';
import { units } from '../../questions/parse/typed-words.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { readExportWords } from '../exports/read-export-words.ts';
import { requestExport } from '../exports/request-export.ts';
import { requestOfWords } from '../exports/request-of-words.ts';
import { notice } from '../messages/notice.ts';
import { refusal } from '../messages/refusal.ts';
import type { ExportParts, SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { typedSentences } from '../questions/typed-sentences.ts';

const USAGE = '/tis export [xlsx|xls|csv|json] FILTER [in UNIT] [by REPORT]';

/** `/tis export`: a file of a report on many issues, posted where it was asked for. */
export const tisExport: SlashCommand<ExportParts> = {
  root: '/tis',
  word: 'export',
  usage: USAGE,
  summary: 'a file of many issues, posted in this channel',
  async answer(asked, parts) {
    if (asked.text === '') return [notice(await helpText(asked, parts))];
    try {
      const words = readExportWords(asked.text, offeredReports(parts.reporting.reportTypes));
      const request = requestOfWords(words, await resolvePrincipal(asked.principal.account, parts));
      await requestExport({ ...words, request }, asked, asked.place, parts);
      return [];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      return [refusal(typedSentences(error), `Try ${await exampleText(asked, parts)}`)];
    }
  },
};

async function helpText(
  asked: Asked,
  parts: Pick<SlackParts, 'accounts' | 'people' | 'reporting'>,
): Promise<string> {
  const reports = offeredReports(parts.reporting.reportTypes)
    .map(({ id }) => id)
    .join(', ');
  return [
    `\`${USAGE}\` makes a file and posts it in this channel, for everybody there to see.`,
    'FILTER: `project KEY` or just `KEY`, `filter NAME`, `sprint NAME`, issue keys, or JQL.',
    `UNIT: ${units.join(', ')}.`,
    `REPORT: ${reports}.`,
    `Try ${await exampleText(asked, parts)}`,
  ].join('\n');
}

/** Examples with a project and an issue that the principal can see. */
async function exampleText(
  { principal }: Asked,
  parts: Pick<SlackParts, 'accounts' | 'people' | 'reporting'>,
): Promise<string> {
  const [key] = await parts.reporting.exampleKeys(await resolvePrincipal(principal.account, parts), 1);
  if (key === undefined)
    return 'again once there are issues here: import some with `npm run dwell -- import FILE`.';
  const project = key.slice(0, key.lastIndexOf('-'));
  const examples = [
    `/tis export ${project}`,
    `/tis export csv ${key} in minutes`,
    `/tis export xlsx jql project = ${project} ORDER BY created by statusCount`,
  ];
  return `${examples.map((example) => `\`${escapeMrkdwn(example)}\``).join(', or ')}.`;
}
