import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '../../api/answers/index.ts';
import type { DigestsApi } from '../../api/digests/digests-api.ts';
import type { Digest, DigestInput, DigestPlace } from '../../model/digest.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { titleWithoutQuery } from '../../output/subject-words.ts';
import { normalHours } from '../../time/calendar.ts';
import { isoDay, weekdays } from '../../time/date-text.ts';
import { indexOfName } from '../../time/day-words.ts';
import { scheduleWords } from '../../time/read-schedule.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { calendarName } from '../../time/working-days.ts';
import { zoneWords } from '../../time/zones.ts';
import { viewOf } from '../answers/index.ts';
import type { Place } from '../app/handler-types.ts';
import { hoursHere } from '../app/hours-here.ts';
import { moreMenu } from '../app/message-texts.ts';
import type { DigestParts, SlackParts } from '../app/parts.ts';
import { refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { unknownWord } from '../ask/grammar/names-meant.ts';
import type { ReadWords } from '../ask/grammar/parser-context.ts';
import { calendarIdOf, readCalendar } from '../ask/grammar/read-calendar.ts';
import type { DigestWords } from '../ask/grammar/read-digest.ts';
import { readQuestion } from '../ask/read-question.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipalHere, resolvePrincipal } from '../people/accounts.ts';
import { answerIn, titleWords } from './post-period.ts';

/** A digest as it was typed or filled in. `question` is only read of a new one. */
type DigestDraft = Omit<DigestWords, 'place'> &
  Pick<DigestInput, 'place'> & { readonly title: string | null };

/**
 * Creates a digest, or changes one (`id`), for an account in a place, and shows it. What is wrong is a `bad-request`. What
 * a digest asks never changes.
 */
export async function saveDigest(
  id: string | null,
  draft: DigestDraft,
  account: string,
  at: Place,
  parts: DigestParts,
): Promise<Message> {
  const { digests, settings, answers, now } = parts;
  const { place, file, cron, workingDays } = draft;
  const by = await digestPrincipalHere(account, parts);
  const principal = await resolvePrincipal(account, parts);
  const stored = id === null ? null : await digests.get(by, id);
  const {
    question: read,
    remark,
    plain,
  }: ReadWords = stored === null
    ? await readQuestion(draft.question, account, at, parts)
    : { question: stored.question, remark: null };
  // A question that is posted again and again is not guessed.
  if (plain !== undefined) {
    throw badRequestAs('invalid-value', `I don't know the report "${draft.question}".`, { line: plain.line });
  }
  if (stored === null) assertMovingDays(read, draft.question);
  const hours = await hoursHere(at, account, parts);
  const timeZone = draft.timeZone ?? stored?.schedule.timeZone ?? hours.timeZone;
  // Its days and weeks begin when those of its schedule do.
  const question = { ...read, timeZone };
  if (place.kind === 'channel' && kindOf(question).isPersonal) {
    throw badRequest('This report is about you alone, so I only send it to you. Try: to me.');
  }
  if (file !== null && (await answers.requestOf(principal, question, now())) === null) {
    throw badRequest(`This report has no issues to put in a file. Leave out 'with ${file}'.`);
  }
  const calendars = await settings.calendars(principal);
  // A calendar that the report names is meant for its days as well.
  const { calendar = normalHours.name } = question;
  const usual = calendar === normalHours.name ? hours.calendar : calendar;
  const input: DigestInput = {
    title: draft.title ?? stored?.title ?? digestTitle(draft.question, question, place),
    question,
    place,
    schedule: { cron, timeZone },
    workingDays: workingDays === null ? null : workingDaysOf(workingDays, usual, calendars),
    file,
  };
  const membership = place.kind === 'channel' ? await membershipRemark(place.channel, parts) : [];
  const notes = [remark, draft.zoneRemark].filter((one) => one !== null);
  const remarks = [...notes, ...membership];
  if (stored === null) {
    const answer = await answers.answer(principal, question, now());
    const { reasons } = await answerIn(place, answer, principal, parts);
    remarks.push(...fixedBeginning(question));
    if (reasons.length > 0) remarks.push(`:warning: I can't post it right now. ${reasons.join(' ')}`);
  }
  const saved = id === null ? await digests.create(by, input) : await digests.change(by, id, input);
  remarks.push(...(await twinRemark(saved, by, digests)));
  const lead = `I'll post ${titleWords(saved)} ${digestWords(saved, calendars)}.`;
  return digestCard(saved, lead, remarks, parts);
}

/** A sentence (mrkdwn) where the same report is posted in the same place at the same times already. */
async function twinRemark(
  { id, owner, place, schedule, question }: Digest,
  by: Principal,
  digests: DigestParts['digests'],
): Promise<readonly string[]> {
  const channel = place.kind === 'channel' ? place.channel : null;
  const all = await digests.list({ ...by, rights: 'user' }, channel);
  const isTwin = (one: Digest) =>
    one.id !== id &&
    !one.paused &&
    (channel !== null || one.owner === owner) &&
    isDeepStrictEqual([one.place, one.schedule, one.question], [place, schedule, question]);
  const warning =
    ':warning: Another digest posts the same report there at these times. `/tis digest` lists both.';
  return all.some(isTwin) ? [warning] : [];
}

/** The id of the calendar that was named; the usual one where none was. */
function workingDaysOf(typed: string, usual: string, calendars: Parameters<typeof readCalendar>[1]): string {
  if (typed === '') return usual;
  const id = readCalendar(typed, calendars) ?? calendars.map(calendarIdOf).find((one) => one === typed);
  if (id !== undefined) return id;
  throw unknownWord('calendar', typed, calendars.map(calendarName));
}

const invite = "I'm not in this channel. Type `/invite @Dwell` there and try again, or say `to me`.";

/** A `bad-request` where Dwell is surely not in a channel; a sentence (mrkdwn) where Slack does not say. */
async function membershipRemark(
  channel: string,
  { web, log }: Pick<SlackParts, 'web' | 'log'>,
): Promise<readonly string[]> {
  try {
    const { channel: facts } = await web.conversations.info({ channel });
    if (facts?.is_archived === true)
      throw badRequest('This channel is archived. Try: another channel, or to me.');
    if (facts?.is_member === false) throw badRequest(invite);
    return [];
  } catch (error) {
    const code = refusalOf(error);
    if (code === 'channel_not_found') throw badRequest(invite);
    if (code === null && tryAgain(error) === error) throw error;
    log.warn({ err: error, channel }, 'Slack does not say whether Dwell is in a channel');
    return ["I can't check whether I'm in this channel. If I'm not, type `/invite @Dwell` there."];
  }
}

const LENGTH = 100;

/**
 * The title of a digest without one of its own, its question as it was typed. A query is shown to its owner
 * only, for it may name what others in the channel may not know of.
 */
function digestTitle(typed: string, question: Question, { kind }: DigestPlace): string {
  const selections = kind === 'owner' ? [] : kindOf(question).selections(question);
  return shorten(
    selections.reduce(
      (text, selection) =>
        selection.by === 'jql' ? titleWithoutQuery(text, selection.jql, 'of a filter') : text,
      typed,
    ),
    LENGTH,
  );
}

/** That each answer begins with the same day, and what moves along instead (mrkdwn); none where it moves. */
function fixedBeginning(question: Question): readonly string[] {
  const isFixed = kindOf(question)
    .ranges?.(question)
    .some(({ when }) => when.by === 'dates');
  return isFixed
    ? [
        'It always starts on the same day, so it covers more days each time. For a time that moves, use `last 30 days`, `last week` or `this month`.',
      ]
    : [];
}

const moving = 'a time that moves (last 7 days, last week, this month)';

/**
 * Refuses a question about the same days each time it is posted, where its author must think that they move: a week by
 * its number, days between two others, and a day that has a name only today. `typed` is the question in words.
 */
function assertMovingDays(question: Question, typed: string): void {
  const kind = kindOf(question);
  const why = viewOf(question).fixedProblem?.(question) ?? null;
  if (why !== null) throw badRequest(why);
  for (const range of kind.ranges?.(question) ?? []) assertMovingRange(range, typed, question.timeZone);
}

function assertMovingRange({ when }: MovingRange, typed: string, timeZone: string): void {
  if (when.by !== 'dates') return;
  if (when.to !== null) {
    throw badRequest(`A digest would cover the same days each time. Try: ${moving}.`);
  }
  const [since, day = ''] = /\bsince (?:last )?(today|yesterday|\d+ days? ago|[a-z]+)/i.exec(typed) ?? [];
  const isNamed = /^(today|yesterday|\d.*)$/i.test(day) || indexOfName(weekdays, day) >= 0;
  if (since === undefined || !isNamed || when.from === null) return;
  const date = isoDay(dayAt(when.from, timeZone));
  throw badRequest(
    `"${since}" would be the same day each time the digest is posted. Try: ${moving}, or a fixed date (since ${date}).`,
  );
}

const REASON_LENGTH = 300;

/**
 * When and where a digest is posted, escaped, with the word before the place: `in <#C1> every Monday at 9:00 AM (Berlin
 * time)`.
 */
export function digestWords(
  { schedule, place, workingDays, file, owner }: DigestInput & Pick<Digest, 'owner'>,
  calendars: readonly CalendarDefinition[],
): string {
  const found = calendars.find((one) => calendarIdOf(one) === workingDays);
  const calendar = found === undefined ? workingDays : calendarName(found);
  const where =
    place.kind === 'channel' ? `in <#${escapeMrkdwn(place.channel)}>` : `to <@${escapeMrkdwn(owner)}>`;
  return [
    `${where} ${escapeMrkdwn(scheduleWords(schedule.cron))} (${escapeMrkdwn(zoneWords(schedule.timeZone))})`,
    ...(calendar === null ? [] : [`on working days of ${escapeMrkdwn(calendar)}`]),
    ...(file === null ? [] : [`with a file (${file.toUpperCase()})`]),
  ].join(', ');
}

/** When it is posted next: on a working day, where it is due on a day off. */
export async function nextPost(
  { schedule, workingDays, nextDue }: Digest,
  digests: Pick<DigestsApi, 'nextPosts'>,
): Promise<Instant | null> {
  if (nextDue === null) return null;
  const [next] = await digests.nextPosts({ schedule, workingDays }, nextDue - 1, 1);
  return next ?? null;
}

const ends = {
  claimed: 'being posted',
  sent: 'posted',
  silent: 'nothing to post',
  skipped: 'skipped',
  failed: 'failed',
} as const;

/** When it is posted next and how the last run ended, escaped; the reason is for people who can see its report. */
export function stateWords({ paused, lastRun }: Digest, next: Instant | null, withWhy: boolean): string {
  const coming = paused ? 'Paused' : next === null ? 'No next run' : `Next: ${dateMark(next)}`;
  if (lastRun === null) return `${coming} · not posted yet`;
  const { due, state, message } = lastRun;
  const why = message === null || !withWhy ? '' : `: ${escapeMrkdwn(message.slice(0, REASON_LENGTH))}`;
  return `${coming} · last: ${dateMark(due)}, ${ends[state]}${why}`;
}

/** A message on what was done with a digest, how it is now, and what can be done with it. The sentences are mrkdwn. */
export async function digestCard(
  digest: Digest,
  lead: string,
  remarks: readonly string[],
  { digests }: { readonly digests: Pick<DigestsApi, 'nextPosts'> },
): Promise<Message> {
  const state = stateWords(digest, await nextPost(digest, digests), true);
  const value = `${digest.id} ${CARD}`;
  return {
    text: [lead, state, ...remarks].join('\n'),
    blocks: [
      section(lead),
      context(state),
      ...remarks.map(context),
      actions(
        button('Preview', 'digest-preview', value),
        button('Edit', 'digest-edit', value),
        digest.paused ? button('Resume', 'digest-resume', value) : button('Pause', 'digest-pause', value),
        moreMenu([
          ['Change owner', 'digest-change-owner', value],
          ['Delete', 'digest-delete', `${value} ask`],
        ]),
      ),
    ],
  };
}

/**
 * The words after the id in a button's value: the button is in the message of one digest, or in a list, and then
 * the start of that list comes after the word.
 */
export const CARD = 'card';
export const LIST = 'list';
