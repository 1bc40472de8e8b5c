import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { DigestInput, DigestPlace } from '../../model/digest.ts';
import { badRequest } from '../../model/error.ts';
import { principalIn } from '../../model/principal.ts';
import { kindOf } from '../../questions/index.ts';
import { unknownWord } from '../../questions/parse/names-meant.ts';
import { calendarIdOf, readCalendar } from '../../questions/parse/read-calendar.ts';
import { digestTitle, fixedBeginning, refuseFixedDays } from '../../questions/recurring-question.ts';
import type { Place } from '../app/handler-types.ts';
import { hoursHere, isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { DigestParts, SlackParts } from '../app/parts.ts';
import { refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { readQuestion } from '../ask/read-question.ts';
import { digestPrincipalHere, resolvePrincipal } from '../people/principals.ts';
import { digestWordsOf, nextPostText, postTimes, stateWords } from './describe-digest.ts';
import { previewProblem } from './digest-preview.ts';
import type { DigestWords } from './digest-words.ts';

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
  const unsure = place.kind === 'channel' ? await canComeHere(place.channel, parts) : null;
  const reasons = await previewProblem(wish, principal, parts);
  const same = await sameDigests(wish, account, parts);
  const digest = await digests.create(
    { ...principal, account, rights: principal.rights === 'admin' ? 'admin' : 'user' },
    wish,
  );
  return notice(
    `*${escapeMrkdwn(digest.title)}* will be told ${digestWordsOf(digest, calendars, true)}.`,
    `Next: ${next.length === 0 ? 'never, for no day is worked on' : postTimes(next, timeZone, now())}.`,
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

/** Who has digests already that tell the same in the same place at the same times, in sentences (mrkdwn). */
async function sameDigests(
  wish: DigestInput,
  account: string,
  { digests, people, accounts }: Pick<SlackParts, 'digests' | 'people' | 'accounts'>,
): Promise<readonly string[]> {
  const { question, place, schedule } = wish;
  const channel = place.kind === 'channel' ? place.channel : null;
  const beside = await digests.list(principalIn(people.tenant, account), channel);
  const same = beside.filter(
    (one) =>
      (place.kind === 'channel' || one.owner === account) &&
      isDeepStrictEqual([one.question, one.place, one.schedule], [question, place, schedule]),
  );
  const sentences = [...new Set(same.map(({ owner }) => owner))].map(async (owner) => {
    const who = owner === account ? 'You already have' : `${await nameOf(owner, accounts)} already has`;
    return `${who} a digest of the same question here, at the same times, so this one comes beside it.`;
  });
  return Promise.all(sentences);
}

async function nameOf(owner: string, accounts: SlackParts['accounts']): Promise<string> {
  const profile = await accounts.profileOf(owner).catch(() => null);
  return escapeMrkdwn(profile?.name ?? owner);
}

const invite = 'Type `/invite @Dwell` there and try again, or say `to me`.';

/**
 * Whether Dwell may post in a channel, asked when a digest is made rather than when it is due: a `bad-request` where it
 * surely may not; a sentence (mrkdwn) where Slack does not tell; null where it may.
 */
async function canComeHere(
  channel: string,
  { web, log }: Pick<SlackParts, 'web' | 'log'>,
): Promise<string | null> {
  try {
    const { channel: facts } = await web.conversations.info({ channel });
    if (facts?.is_archived === true)
      throw badRequest('This channel is archived. Try: another channel, or to me.');
    if (facts?.is_member === false) throw badRequest(`I am not in this channel. ${invite}`);
    return null;
  } catch (error) {
    const code = refusalOf(error);
    if (code === 'channel_not_found') throw badRequest(`I am not in this channel. ${invite}`);
    if (code === null && tryAgain(error) === error) throw error;
    log.warn({ err: error, channel }, 'whether Dwell is in a channel cannot be found out');
    return code === 'missing_scope'
      ? 'I may not see whether I am in this channel: for that an admin has to give the app the scopes `channels:read`, `groups:read` and `mpim:read`. If I am not, type `/invite @Dwell` here.'
      : 'Slack does not tell at the moment whether I am in this channel. If I am not, type `/invite @Dwell` here.';
  }
}

/** Where a digest is to be told that was typed or filled in at a place. */
function placeOf({ place }: Pick<DigestWords, 'place'>, at: Pick<Place, 'channel'>): DigestPlace {
  return place === 'owner' || isDirect(at.channel)
    ? { kind: 'owner' }
    : { kind: 'channel', channel: at.channel };
}

/** Changes everything of a digest but what it asks, as it was filled in at a place. */
export async function changeDigest(
  id: string,
  words: Omit<DigestWords, 'question'> & { readonly title: string | null },
  account: string,
  at: Place,
  parts: DigestParts,
): Promise<Message> {
  const { digests, settings, answers } = parts;
  const by = await digestPrincipalHere(account, parts);
  const principal = await resolvePrincipal(account, parts);
  const kept = await digests.get(by, id);
  const place = placeOf(words, at);
  if (place.kind === 'channel' && kindOf(kept.question).isPersonal) {
    throw badRequest('What waits on somebody is for them alone. Try: to its owner alone.');
  }
  if (words.file !== null && (await answers.requestOf(principal, kept.question, parts.now())) === null) {
    throw badRequest(`with ${words.file} is not allowed here: a file is made of the issues behind a report.`);
  }
  const unsure = place.kind === 'channel' ? await canComeHere(place.channel, parts) : null;
  const timeZone = words.timeZone ?? kept.schedule.timeZone;
  const changed = await digests.change(by, id, {
    title: words.title ?? kept.title,
    question: { ...kept.question, timeZone },
    place,
    schedule: { cron: words.cron, timeZone },
    workingDays: words.workingDays,
    file: words.file,
  });
  const calendars = await settings.calendars(principal);
  return notice(
    `*${escapeMrkdwn(changed.title)}* is told ${digestWordsOf(changed, calendars, changed.owner === account)}.`,
    `${stateWords(changed, { next: await nextPostText(changed, digests) })}.`,
    ...(unsure === null ? [] : [unsure]),
  );
}
