import type { ChatPostMessageResponse } from '@slack/web-api';
import { formatsToUse } from '../../api/settings/settings-in-use.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { ReportRequest } from '../../model/request.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { offeredReports } from '../../questions/parse/read-grouping.ts';
import { type Format, type Unit, units } from '../../questions/parse/typed-words.ts';
import type { Person, Place, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { AudienceParts, ExportParts, SlackParts } from '../app/parts.ts';
import { refusal, typedSentences } from '../app/show-failure.ts';
import { explainRefusal, perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { audienceProblem } from '../channels/why-not-here.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { exportProgress, exportTitle, exportTitleText } from './export-messages.ts';
import type { DeliveryNote } from './export-notifier.ts';
import { readExportWords, requestOfWords } from './export-words.ts';

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
  asked: SlashInvocation,
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
  { principal }: SlashInvocation,
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

/** A file of a list, which is asked for with the rights of the request's principal. */
interface ExportAsk {
  readonly format: Format;
  readonly unit: Unit;
  readonly request: ReportRequest;
}

/**
 * Queues an export whose file is to be brought to a place, after a message there that will tell how far it is. Whatever
 * keeps it from beginning is an AppError that says what to do, and then nothing is queued. A message may stay in the
 * place where Slack gives no answer, or when Dwell is killed before it has queued: *Abort* takes that away. Where not
 * everybody may read what would be in the file, nothing is posted.
 */
export async function requestExport(
  { format, unit, request }: ExportAsk,
  { principal: { account }, userName }: Person,
  place: Place,
  parts: AudienceParts & Pick<SlackParts, 'exports' | 'settings' | 'web'>,
): Promise<void> {
  const { exports, reporting, settings, web } = parts;
  const { formats, notes } = await formatsToUse(settings);
  const wish: ExportInput = {
    principalName: userName,
    type: typeOf[format],
    request,
    unit,
    dayLength: '24HourDays',
    ...withNotes({ formats }, notes),
    denominator: 'nonNull',
    deviation: 'population',
    byteOrderMark: format === 'csv',
    withProvenance: false,
  };
  const total = await exports.count(wish);
  if (total === 0)
    throw badRequestAs('nothing-to-export', 'No issue matches, so there is nothing to put into a file.');
  const reasons = await audienceProblem(await reporting.audienceScope(request), place.channel, parts);
  if (reasons.length > 0)
    throw new AppError('not-for-this-channel', 'This file is not for this channel.', [...reasons, elsewhere]);
  const { channel, messageTs } = await post(place, parts, {
    wish: exportTitleText(exportTitle(wish, reporting)),
    user: account,
    userName,
    completed: 0,
    total,
  });
  const note: DeliveryNote = {
    channel,
    messageTs,
    threadTs: place.threadTs ?? '',
    user: account,
    userName,
    fileId: '',
    missed: '',
    retold: '',
    explained: '',
  };
  try {
    await exports.queue(wish, { door: 'slack', note, pending: true });
  } catch (error) {
    // What nobody works on must not look as if somebody did; where Slack does not help, the principal is told all the same.
    await web.chat.delete({ channel, ts: messageTs }).catch(() => {});
    throw error;
  }
}

const elsewhere = 'In your conversation with me the same command brings it to you alone.';

const typeOf = { xlsx: 'XLSX', xls: 'XLS', csv: 'CSV', json: 'JSON' } as const;

async function post(
  { channel, threadTs }: Place,
  { web }: Pick<SlackParts, 'web'>,
  progress: Parameters<typeof exportProgress>[0],
): Promise<Pick<DeliveryNote, 'channel' | 'messageTs'>> {
  const { text, blocks } = exportProgress(progress);
  const posted = await web.chat
    .postMessage({
      channel,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    })
    .catch((error: unknown): ChatPostMessageResponse => {
      const code = refusalOf(error);
      if (code !== null) throw new AppError('refused-by-slack', explainRefusal(code));
      throw perhapsDone(error) ? perhapsPosted(error) : tryAgain(error);
    });
  if (posted.ts === undefined) throw perhapsPosted(undefined);
  // A conversation that was named by an account has an id of its own.
  return { channel: posted.channel ?? channel, messageTs: posted.ts };
}

function perhapsPosted(cause: unknown): AppError {
  return new AppError(
    'outcome-unknown',
    'Slack cannot be reached at the moment.',
    [
      'Nothing is queued. A message about this export may stand here all the same and will not move; press Abort on it after half a minute, and it is taken away.',
      'Please try again later.',
    ],
    { cause },
  );
}
