import type { ChatPostMessageResponse } from '@slack/web-api';
import { formatsToUse } from '../../api/settings/settings-in-use.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { ExportInput } from '../../model/export.ts';
import type { ReportRequest } from '../../model/request.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import type { Format, Unit } from '../../questions/parse/typed-words.ts';
import { whyNotHere } from '../audience/why-not-here.ts';
import type { Person, Place } from '../command.ts';
import { exportProgress } from '../messages/export-progress.ts';
import { exportTitle, exportTitleText } from '../messages/export-title.ts';
import type { AudienceParts, SlackParts } from '../parts.ts';
import type { DeliveryNote } from './delivery-note.ts';
import { explainRefusal } from './explain-refusal.ts';
import { mayBeDone, refusalOf, tryAgain } from './refusal.ts';

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
  const reasons = await whyNotHere(await reporting.audienceScope(request), place.channel, parts);
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
      throw mayBeDone(error) ? perhapsPosted(error) : tryAgain(error);
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
