import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { DigestInput } from '../../model/digest.ts';
import { badRequest } from '../../model/error.ts';
import { kindOf } from '../../questions/index.ts';
import { unknownWord } from '../../questions/parse/names-meant.ts';
import { calendarIdOf, readCalendar } from '../../questions/parse/read-calendar.ts';
import { digestTitle, fixedBeginning, refuseFixedDays } from '../../questions/recurring-question.ts';
import type { Place } from '../command.ts';
import { hoursHere } from '../hours-here.ts';
import { notice } from '../messages/notice.ts';
import type { DigestParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { readQuestion } from '../questions/read-question.ts';
import { digestWordsOf, timesTold } from './digest-words-of.ts';
import { mayComeHere } from './may-come-here.ts';
import { placeOf } from './place-of.ts';
import { whyNotNow } from './preview-digest.ts';
import type { DigestWords } from './read-digest-words.ts';
import { sameDigests } from './same-digests.ts';

const TOLD_AHEAD = 3;

/**
 * Makes a digest for an account, from the words it was typed or filled in with in a place, and tells what will come
 * when. What is wrong is a `bad-request`; nothing is told to anybody else.
 */
export async function makeDigest(
  words: DigestWords & { readonly title: string | null },
  account: string,
  at: Place,
  parts: DigestParts,
): Promise<Message> {
  const { digests, settings, now } = parts;
  const principal = await resolvePrincipal(account, parts);
  const { question: asked, remark } = await readQuestion(words.question, account, at, parts);
  refuseFixedDays(asked, words.question);
  const hours = await hoursHere(at, account, parts);
  const timeZone = words.timeZone ?? hours.timeZone;
  // Its days and weeks are those of the clocks on which it comes.
  const question = { ...asked, timeZone };
  const calendars = await settings.calendars(principal);
  const place = placeOf(words, at);
  if (place.kind === 'channel' && kindOf(question).isPersonal) {
    throw badRequest('What waits on you is for you alone. Try: to me.');
  }
  if (words.file !== null && (await parts.answers.requestOf(principal, question, now())) === null) {
    throw badRequest(`with ${words.file} is not allowed here: a file is made of the issues behind a report.`);
  }
  const wish: DigestInput = {
    title: digestTitle(words, question, place),
    question,
    place,
    schedule: { cron: words.cron, timeZone },
    workingDays:
      words.workingDays === null ? null : workingDaysOf(words.workingDays, hours.calendar, calendars),
    file: words.file,
  };
  const next = await digests.nextPosts(wish, now(), TOLD_AHEAD);
  const unsure = place.kind === 'channel' ? await mayComeHere(place.channel, parts) : null;
  const reasons = await whyNotNow(wish, principal, parts);
  const same = await sameDigests(wish, account, parts);
  const digest = await digests.create(
    { ...principal, account, rights: principal.rights === 'admin' ? 'admin' : 'user' },
    wish,
  );
  return notice(
    `*${escapeMrkdwn(digest.title)}* will be told ${digestWordsOf(digest, calendars, true)}.`,
    `Next: ${next.length === 0 ? 'never, for no day is worked on' : timesTold(next, timeZone, now())}.`,
    ...same,
    ...(remark === null ? [] : [remark]),
    ...fixedBeginning(question),
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
