import type { DigestPlace, DigestWish } from '../../model/digest.ts';
import { badRequest } from '../../model/error.ts';
import type { DoorParts, Place } from '../command.ts';
import { hoursHere, isDirect } from '../hours-here.ts';
import type { Message } from '../message.ts';
import { dateMark, escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import { shorten } from '../messages/shorten.ts';
import { askerOf } from '../people/asker-of.ts';
import { calendarIdOf, readCalendar } from '../questions/read-calendar.ts';
import { readQuestion } from '../questions/read-question.ts';
import { unknownWord } from '../questions/unknown-word.ts';
import { wishWordsOf } from './digest-words-of.ts';
import { mayComeHere } from './may-come-here.ts';
import { whyNotNow } from './preview-digest.ts';
import type { DigestWords } from './read-digest-words.ts';

const TITLE_LENGTH = 100;
const TOLD_AHEAD = 3;

/**
 * Makes a digest for an account, from the words it was typed or filled in with in a place, and tells what will come
 * when. What is wrong is a `bad-request`; nothing is told to anybody else.
 */
export async function makeDigest(
  words: DigestWords & { readonly title: string | null },
  account: string,
  at: Place,
  parts: DoorParts,
): Promise<Message> {
  const { digests, settings, now } = parts;
  const asker = await askerOf(account, parts);
  const { question, remark } = await readQuestion(words.question, account, at, parts);
  const { timeZone, calendar } = await hoursHere(at, account, parts);
  const calendars = await settings.calendars(asker);
  const place: DigestPlace =
    words.place === 'owner' || isDirect(at.channel)
      ? { kind: 'owner' }
      : { kind: 'channel', channel: at.channel };
  if (place.kind === 'channel' && question.kind === 'mine') {
    throw badRequest('What waits on you is for you alone; allowed: to me.');
  }
  if (words.file !== null && (await parts.answers.requestOf(asker, question, now())) === null) {
    throw badRequest(`with ${words.file} is not allowed here: a file is made of the issues behind a report.`);
  }
  const wish: DigestWish = {
    title: shorten(words.title ?? words.question, TITLE_LENGTH),
    question,
    place,
    schedule: { cron: words.cron, timeZone: words.timeZone ?? timeZone },
    workingDays: words.workingDays === null ? null : workingDaysOf(words.workingDays, calendar, calendars),
    file: words.file,
  };
  digests.dueAfter(wish.schedule, now(), TOLD_AHEAD);
  const unsure = place.kind === 'channel' ? await mayComeHere(place.channel, parts) : null;
  const reasons = await whyNotNow(wish, asker, parts);
  const digest = await digests.create({ account, admin: asker.admin }, wish);
  const next = digests.dueAfter(wish.schedule, now(), TOLD_AHEAD).map(dateMark);
  return notice(
    `*${escapeMrkdwn(digest.title)}* will be told ${wishWordsOf(digest, calendars)}.`,
    `Next: ${next.join(', ')}.`,
    ...(remark === null ? [] : [remark]),
    ...(unsure === null ? [] : [unsure]),
    ...(reasons.length === 0 ? [] : ['As things are it would *not* be posted:', ...reasons]),
    '`/tis digest` shows, previews and changes your digests.',
  );
}

/** The id of the calendar that was named; the place's own where none was. */
function workingDaysOf(typed: string, usual: string, calendars: Parameters<typeof readCalendar>[1]): string {
  if (typed === '') return usual;
  const id = readCalendar(typed, calendars) ?? calendars.map(calendarIdOf).find((one) => one === typed);
  if (id !== undefined) return id;
  throw unknownWord(
    'calendar',
    typed,
    calendars.map(({ name }) => name),
  );
}
