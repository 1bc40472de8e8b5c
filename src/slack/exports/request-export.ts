import type { ChatPostMessageResponse } from '@slack/web-api';
import { AppError, badRequest } from '../../model/error.ts';
import type { ExportWish } from '../../model/export.ts';
import { ask } from '../../model/request.ts';
import type { DoorParts, Person, Place } from '../command.ts';
import { exportProgress } from '../messages/export-progress.ts';
import { wishText, wishWords } from '../messages/wish-words.ts';
import type { DeliveryNote } from './delivery-note.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { ExportWords } from './read-export-words.ts';
import { mayBeDone, refusalOf, tryAgain } from './refusal.ts';

/**
 * Queues an export whose file is to be brought to a place, after a message there that will tell how far it is. Whatever
 * keeps it from beginning is an AppError that says what to do, and then nothing is queued. A message may stay in the
 * place where Slack gives no answer, or when Dwell is killed before it has queued: *Abort* takes that away.
 */
export async function requestExport(
  words: ExportWords,
  { asker, userName }: Person,
  place: Place,
  parts: DoorParts,
): Promise<void> {
  const { exports, reporting, settings, web } = parts;
  const wish: ExportWish = {
    askerName: userName,
    type: typeOf[words.format],
    request: ask({
      asker,
      reportType: words.reportType,
      selection: words.selection,
      includeDeletedStatuses: true,
    }),
    unit: words.unit,
    dayLength: '24HourDays',
    formats: await settings.formats(),
    denominator: 'nonNull',
    deviation: 'population',
    byteOrderMark: words.format === 'csv',
    withProvenance: false,
  };
  const total = await exports.count(wish);
  if (total === 0) throw badRequest('No issue matches, so there is nothing to put into a file.');
  const messageTs = await post(place, parts, {
    wish: wishText(wishWords(wish, reporting)),
    user: asker.user,
    userName,
    completed: 0,
    total,
  });
  const note: DeliveryNote = {
    channel: place.channel,
    messageTs,
    threadTs: place.threadTs ?? '',
    user: asker.user,
    userName,
    fileId: '',
    missed: '',
    retold: '',
  };
  try {
    await exports.queue(wish, { door: 'slack', note, pending: true });
  } catch (error) {
    // What nobody works on must not look as if somebody did; where Slack does not help, the asker is told all the same.
    await web.chat.delete({ channel: place.channel, ts: messageTs }).catch(() => {});
    throw error;
  }
}

const typeOf = { xlsx: 'XLSX', xls: 'XLS', csv: 'CSV', json: 'JSON' } as const;

async function post(
  { channel, threadTs }: Place,
  { web }: DoorParts,
  progress: Parameters<typeof exportProgress>[0],
): Promise<string> {
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
      if (code !== null) throw new AppError('not-allowed', explainRefusal(code));
      throw mayBeDone(error) ? perhapsPosted(error) : tryAgain(error);
    });
  if (posted.ts === undefined) throw perhapsPosted(undefined);
  return posted.ts;
}

function perhapsPosted(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'Slack cannot be reached at the moment.',
    [
      'Nothing is queued. A message about this export may stand here all the same and will not move; press Abort on it after half a minute, and it is taken away.',
      'Please try again later.',
    ],
    { cause },
  );
}
