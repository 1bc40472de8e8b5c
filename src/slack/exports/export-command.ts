import { AppError, badRequestAs } from '../../model/error.ts';
import type { Person, SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { notice, withLead } from '../app/message-texts.ts';
import type { ExportParts } from '../app/parts.ts';
import { lineRefusal, typedSentences } from '../app/show-failure.ts';
import { readExportWords } from '../ask/grammar/read-export.ts';
import { type Example, examplesFor } from '../ask/help.ts';
import { nearestLines } from '../ask/nearest-lines.ts';
import { readQuestion } from '../ask/read-question.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import { button } from '../blocks/mrkdwn.ts';
import { directPlace, exportQuestion, sendOnce } from './request-export.ts';

/** `/tis export`: what any question is about as a file, posted where it was asked for, or to the person alone. */
export const tisExport: SlashCommand<ExportParts> = {
  root: '/tis',
  word: 'export',
  usage: '/tis export [xlsx|xls|csv|json] QUESTION [in UNIT] [to me]',
  summary: 'Any question as a file, posted in this channel or sent to you',
  examples: ['/tis export csv WEB last 30 days', '/tis export weekly WEB', '/tis export WEB to me'],
  details:
    'QUESTION is what comes after `/tis`, such as `WEB last 30 days by assignee`; the words can be in any order. Without a format it is an Excel file (xlsx). UNIT is hours, days, minutes or seconds.',
  answer: (asked, parts) => answerExport(asked.text, asked, parts),
};

/** *Send to me* below the refusal of a file that is not for a channel; its value is what was typed. */
export const sendExport: SlackAction<ExportParts> = {
  id: 'send-export',
  run: (click, parts) =>
    sendOnce(click.value, click, parts, () => answerExport(`${click.value} to me`, click, parts)),
};

async function answerExport(
  typed: string,
  asked: Person & Pick<SlashInvocation, 'place'>,
  parts: ExportParts,
): Promise<readonly Message[]> {
  const { format, unit, toMe, question: line } = readExportWords(typed);
  const place = toMe ? directPlace(asked) : asked.place;
  try {
    if (line === '') throw badRequestAs('missing-value', 'What would you like to export?');
    const { account } = asked.principal;
    const { question, plain } = await readQuestion(line, account, asked.place, parts);
    const file = { format: format ?? 'xlsx', unit: unit ?? question.unit ?? 'hours' } as const;
    const posted = await exportQuestion({ ...file, question, asOf: null }, asked, place, parts);
    const messages = posted.isThere && !toMe ? [] : [posted.message];
    const readAs = plain?.readAs ?? null;
    return readAs === null ? messages : withLead(messages, readAs);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'not-for-this-channel') return [withSendToMe(error, typed)];
    if (!['bad-request', 'not-found'].includes(error.code)) throw error;
    const examples = ({ key, project }: Example) =>
      [`${project} last 30 days`, `weekly ${project}`, `csv ${key} in minutes`].map(
        (one) => `/tis export ${one}`,
      );
    const { account } = asked.principal;
    const near = (await nearestLines(line, error, account, asked.place, parts)).lines.map((one) =>
      `/tis export ${typed.replace(line, () => one)}`.trim(),
    );
    const advice = await examplesFor(asked, near.length > 0 ? () => [] : examples, parts);
    return [lineRefusal(error, `/tis export ${typed}`, typedSentences(error), advice, near)];
  }
}

function withSendToMe(error: AppError, typed: string): Message {
  const refused = notice(error.message, ...error.details);
  // A button carries 2,000 characters.
  if (typed.length > limits.button.value) return refused;
  const elements = [button('Send to me', 'send-export', typed)];
  return { ...refused, blocks: [...refused.blocks, { type: 'actions', elements }] };
}
