import { isDeepStrictEqual } from 'node:util';
import type { CreatedWatch, WatchCoverage } from '../../api/watches/watches-api.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import type { Threshold, Watch, WatchInput } from '../../model/watch.ts';
import { countOf, countWords, inStatus } from '../../output/figure-words.ts';
import { isolated, shorten } from '../../output/readable-text.ts';
import { plainText } from '../app/form-inputs.ts';
import type { PeopleParts, SlackParts } from '../app/parts.ts';
import { type Message, someOf } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { knownPrincipal, resolvePrincipal } from '../people/accounts.ts';

export const NAME_LENGTH = 60;

/**
 * The rule of a watch in plain words, nothing escaped: `Review longer than 3 working days, in WEB, Service desk hours`, or `Missed
 * targets, in WEB, 24/7`.
 */
export function ruleWords(watch: Pick<Watch, 'status' | 'threshold' | 'title' | 'calendarName'>): string {
  const { status, threshold, title, calendarName } = watch;
  const calendar = calendarName === null ? ', 24/7' : `, ${named(calendarName ?? '')} hours`;
  const isWeekdays = threshold.by === 'time' && threshold.weekdays === true;
  const hours = isWeekdays ? ', Monday to Friday' : calendarName === undefined ? '' : calendar;
  const what =
    status === null ? 'Missed targets' : `${named(status.name)} longer than ${thresholdWords(threshold)}`;
  return `${what}, in ${named(title)}${hours}`;
}

function named(name: string): string {
  return isolated(shorten(name, NAME_LENGTH));
}

/** The words for who is alerted, to follow the rule. */
export function notifiesWords({ tells }: Pick<Watch, 'tells'>): string {
  return tells === 'owner' ? 'alerts you' : 'alerts the assignee';
}

/** The time that is too long, in plain words. */
export function thresholdWords(threshold: Threshold): string {
  if (threshold.by === 'time') return threshold.words;
  return threshold.by === 'usual' ? 'usual (85th percentile)' : 'their target';
}

/** A button that deletes a watch, and asks before it does. */
export function deleteButton(text: string, value: string) {
  return {
    ...button(text, 'watch-delete', value),
    confirm: {
      title: plainText('Delete this watch?'),
      text: plainText("It won't alert anyone anymore."),
      confirm: plainText('Delete'),
      deny: plainText('Keep it'),
    },
  };
}

/**
 * Creates a watch for an account, and says what is overdue already. A person who is unknown to the tracker alerts only
 * themselves: others could not know who sends it.
 */
export async function beginWatch(
  input: WatchInput,
  remarks: readonly string[],
  account: string,
  parts: PeopleParts & Pick<SlackParts, 'watches'>,
): Promise<Message> {
  const principal = await resolvePrincipal(account, parts);
  const isAsAsked = input.tells === 'owner' || (await knownPrincipal(account, parts)) !== null;
  const owner = principalIn(parts.people.tenant, account);
  const taken = isAsAsked ? input : ({ ...input, tells: 'owner' } as const);
  const begun = await parts.watches.create({ owner, principal }, taken);
  const aboutAlerts = isAsAsked ? [] : [unknownRemark];
  return begunMessage(begun, [...remarks, ...aboutAlerts, ...(await twinRemark(begun.watch, owner, parts))]);
}

/** A sentence (mrkdwn) where an active watch of the same owner has the same rule already. */
async function twinRemark(
  watch: Watch,
  owner: Principal,
  { watches }: Pick<SlackParts, 'watches'>,
): Promise<readonly string[]> {
  const all = await watches.list({ ...owner, rights: 'user' });
  const isTwin = (one: Watch) =>
    one.id !== watch.id && !one.paused && isDeepStrictEqual(comparableRule(one), comparableRule(watch));
  const warning = ':warning: Another of your watches has the same rule. `/tis watch` lists both.';
  return all.some(isTwin) ? [warning] : [];
}

/** The rule of a watch, and the person it alerts, to compare; the words that it was typed in do not matter. */
function comparableRule({ selection, status, threshold, calendar, timeZone, tells }: Watch) {
  const { words: _, ...limit } = threshold.by === 'time' ? threshold : { ...threshold, words: '' };
  return [selection, status?.id ?? null, limit, calendar, timeZone, tells];
}

const unknownRemark =
  "Your Slack account isn't linked to a Jira user, so I only alert you. Link it with `/tis link`; a new watch can then alert assignees.";

/** The message to the owner when a watch begins. The remarks are mrkdwn. */
function begunMessage(begun: CreatedWatch, remarks: readonly string[]): Message {
  const { watch } = begun;
  const { id } = watch;
  const rule = escapeMrkdwn(ruleWords(watch));
  const now = escapeMrkdwn(nowText(begun));
  const once = watch.status === null ? 'once per issue' : 'once per stay';
  const footer = `It ${notifiesWords(watch)} ${once}, by direct message, in working hours. \`/tis watch\` shows your watches.`;
  return {
    text: [`Watching ${rule}.`, now, ...remarks, footer].join('\n'),
    blocks: [
      section(`Watching *${rule}*.\n${now}`),
      ...remarks.map(context),
      context(footer),
      actions(button('Pause', 'watch-pause', id), deleteButton('Delete', id)),
    ],
  };
}

/** Describes the issues that a watch would cover, before it is created: `Nothing is watched yet. WEB has 37 open issues: 5 in Review, 2 overdue.` */
export function coverageText({ status, title }: WatchInput, coverage: WatchCoverage): string {
  const { projects, open, here, overdue } = coverage;
  const issues =
    open === 0
      ? `No issue of ${named(title)} is open now.`
      : `This watch would cover ${countOf(open, 'open issue')} in ${countOf(projects.length, 'project')} (${someOf(projects)}). ${countWords(here)} ${here === 1 ? 'is' : 'are'} ${status === null ? 'started' : `${inStatus(named(status.name))} now`}, ${overdue === 0 ? 'none' : countWords(overdue)} ${status === null ? 'past the target' : 'overdue'}.`;
  return `Nothing is watched yet. ${issues} Create it, or choose other issues below.`;
}

/** Nothing is claimed that is unknown. */
function nowText(begun: CreatedWatch): string {
  const { watch, overdue, notified, here, withoutBaseline, sinceUnknown, everObserved } = begun;
  const isTarget = watch.status === null;
  const status = isTarget ? 'started' : inStatus(named(watch.status?.name ?? ''));
  const keys = overdue.map(({ issue }) => issue.key);
  const late = `${keys.length === 0 ? 'none' : countWords(keys.length)} ${isTarget ? 'past the target' : 'overdue'}`;
  const longest = keys.slice(0, notified).join(', ');
  const sentences = [
    !everObserved
      ? `No issue of ${named(watch.title)} that you can see was ever ${status}. Is that the status you meant?`
      : here === 0
        ? `No issue is ${status} now.`
        : isTarget
          ? `${countOf(here, 'started issue')} now, ${late}.`
          : `${countOf(here, 'issue')} ${status} now, ${late}.`,
    keys.length > 0 &&
      `I'll alert ${watch.tells === 'owner' ? 'you' : 'the assignee'} about ${longest} in working hours.`,
    keys.length > notified && `No alerts this time for the others: ${someOf(keys.slice(notified))}.`,
    withoutBaseline > 0 &&
      isTarget &&
      `The target is unknown for ${countOf(withoutBaseline, 'issue')}: no flow sets one and fewer than 5 issues were finished within 90 days, or the history is incomplete.`,
    withoutBaseline > 0 &&
      !isTarget &&
      `What is usual is unknown for ${countOf(withoutBaseline, 'issue')}, because fewer than 5 stays ended there within 90 days. You can name a time, such as \`longer than 3 days\`.`,
    sinceUnknown > 0 && `I can't watch ${countOf(sinceUnknown, 'open issue')} with incomplete history.`,
  ];
  return sentences.filter((one) => one !== false).join(' ');
}
